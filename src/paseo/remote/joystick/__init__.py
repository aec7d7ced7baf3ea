"""SocNavBench's Joystick protocol: its words, its two sockets, and the server of its clients."""
