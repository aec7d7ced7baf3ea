// Drives Paseo's robot straight to its goal, with nothing but sockets: docs/reference/protocol.md.
//   g++ -std=c++17 -O2 -o straight straight.cpp
//   paseo serve scripted-10 --listen localhost:8765 &
//   ./straight localhost 8765
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

const std::size_t LONGEST = 1 << 24;  // bytes of a message

class WebSocket {
 public:
  WebSocket(const char* host, const char* port) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &wanted, &found) != 0) throw std::runtime_error("unknown host");
    for (addrinfo* each = found; each != nullptr && socket_ < 0; each = each->ai_next) {
      socket_ = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
      if (socket_ >= 0 && connect(socket_, each->ai_addr, each->ai_addrlen) != 0) {
        close(socket_);
        socket_ = -1;
      }
    }
    freeaddrinfo(found);
    if (socket_ < 0) throw std::runtime_error("no server answers there");
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    write("GET / HTTP/1.1\r\nHost: " + std::string(host) + ":" + port +
          "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: cGFzZW8gcGFzZW8gcGFzZQ==\r\n"
          "Sec-WebSocket-Protocol: paseo.v1.json\r\n\r\n");
    std::string answer;
    while (answer.find("\r\n\r\n") == std::string::npos) answer += read(1);
    if (answer.find(" 101 ") == std::string::npos) throw std::runtime_error(answer);
  }
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;
  ~WebSocket() { close(socket_); }

  // Frames of clients are masked; a mask of zeros leaves them as they are.
  void send(const std::string& content, int kind = 1) {
    std::string frame(1, static_cast<char>(0x80 | kind));
    if (content.size() < 126) {
      frame += static_cast<char>(0x80 | content.size());
    } else {
      frame += static_cast<char>(0x80 | 126);
      frame += static_cast<char>(content.size() >> 8);
      frame += static_cast<char>(content.size() & 0xff);
    }
    write(frame + std::string(4, '\0') + content);
  }

  std::string receive() {
    std::string content;
    while (true) {
      const std::string head = read(2);
      std::size_t length = head[1] & 0x7f;
      if (length >= 126) {
        std::size_t longer = 0;
        for (const char each : read(length == 126 ? 2 : 8))
          longer = longer << 8 | static_cast<std::uint8_t>(each);
        length = longer;
      }
      if (content.size() + length > LONGEST) throw std::runtime_error("a message is too long");
      const std::string part = read(length);
      const int kind = head[0] & 0x0f;
      if (kind == 8) throw std::runtime_error("the server closed the connection");
      if (kind == 9) send(part, 10);  // a ping
      if (kind < 8) content += part;
      if (kind < 8 && (head[0] & 0x80)) return content;
    }
  }

 private:
  void write(const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t more = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (more <= 0) throw std::runtime_error("the server is gone");
      sent += static_cast<std::size_t>(more);
    }
  }

  std::string read(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t got = 0; got < count;) {
      const ssize_t more = recv(socket_, &bytes[got], count - got, 0);
      if (more <= 0) throw std::runtime_error("the server is gone");
      got += static_cast<std::size_t>(more);
    }
    return bytes;
  }

  int socket_ = -1;
};

bool is(const std::string& message, const std::string& type) {
  return message.rfind("{\"type\":\"" + type + "\"", 0) == 0;  // it always comes first
}

// A number of an object in a message; the object "" is the message itself.
double number(const std::string& message, const std::string& object, const std::string& key) {
  std::size_t at = object.empty() ? 0 : message.find("\"" + object + "\":{");
  if (at != std::string::npos) at = message.find("\"" + key + "\":", at);
  if (at == std::string::npos) throw std::runtime_error("no " + key + " in " + message);
  return std::strtod(message.c_str() + at + key.size() + 3, nullptr);
}

std::string command(const std::string& episode, const std::string& seen) {
  const double x = number(episode, "goal", "x_m") - number(seen, "robot", "x_m");
  const double y = number(episode, "goal", "y_m") - number(seen, "robot", "y_m");
  const double dt = number(episode, "", "dt_s");
  const double speed = std::min(number(episode, "robot", "max_speed_mps"), std::hypot(x, y) / dt);
  const double off =
      std::remainder(std::atan2(y, x) - number(seen, "robot", "heading_rad"), 2 * std::acos(-1.0));
  char text[200];
  std::snprintf(text, sizeof text, R"({"type":"twist","forward_mps":%.17g,"turn_radps":%.17g})",
                speed * std::max(0.0, std::cos(off)), off / dt);
  return text;
}

int main(int count, char** words) try {
  if (count < 3) throw std::runtime_error("say: straight HOST PORT [NAME]");
  const char* token = std::getenv("PASEO_TOKEN");
  WebSocket server(words[1], words[2]);
  server.send(R"({"type":"hello","version":1,"client":")" + std::string(count > 3 ? words[3] : "cpp") +
              (token ? R"(","token":")" + std::string(token) : "") + "\"}");
  std::string episode, message;
  while (!is(message = server.receive(), "done")) {
    if (is(message, "error")) throw std::runtime_error(message);
    if (is(message, "ended")) std::cout << message << '\n';
    if (is(message, "episode")) server.send(R"({"type":"ready"})"), episode = message;
    if (is(message, "observation")) server.send(command(episode, message));
    if (is(message, "welcome") || is(message, "ended")) server.send(R"({"type":"next"})");
  }
  return 0;
} catch (const std::exception& problem) {
  std::cerr << "straight: " << problem.what() << '\n';
  return 1;
}
