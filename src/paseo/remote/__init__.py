"""The robot driven from outside: by another program, over a socket."""
