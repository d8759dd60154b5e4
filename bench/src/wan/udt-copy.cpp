// udt-copy: one file over UDT, both ends. The rival of the bench; built by it at its start.
// Build: g++ -O2 -o udt-copy udt-copy.cpp -ludt -lpthread
// udt-copy recv PORT FILE        udt-copy send HOST PORT FILE
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <udt/udt.h>

static int fail(const char *what) {
  fprintf(stderr, "udt-copy: %s: %s\n", what, UDT::getlasterror().getErrorMessage());
  return 1;
}

static void enlarge(UDTSOCKET socket) {
  int packets = 100000, bytes = 128 << 20, udpBytes = 8 << 20;
  UDT::setsockopt(socket, 0, UDT_FC, &packets, sizeof packets);
  UDT::setsockopt(socket, 0, UDT_SNDBUF, &bytes, sizeof bytes);
  UDT::setsockopt(socket, 0, UDT_RCVBUF, &bytes, sizeof bytes);
  UDT::setsockopt(socket, 0, UDP_SNDBUF, &udpBytes, sizeof udpBytes);
  UDT::setsockopt(socket, 0, UDP_RCVBUF, &udpBytes, sizeof udpBytes);
}

static int receive(int port, const char *path) {
  UDTSOCKET listener = UDT::socket(AF_INET, SOCK_STREAM, 0);
  enlarge(listener);
  sockaddr_in own = {};
  own.sin_family = AF_INET;
  own.sin_port = htons(port);
  if (UDT::bind(listener, (sockaddr *)&own, sizeof own) == UDT::ERROR) return fail("bind");
  if (UDT::listen(listener, 1) == UDT::ERROR) return fail("listen");
  UDTSOCKET peer = UDT::accept(listener, NULL, NULL);
  if (peer == UDT::INVALID_SOCK) return fail("accept");
  int64_t size = 0, offset = 0;
  for (int got = 0; got < (int)sizeof size;) {
    int count = UDT::recv(peer, (char *)&size + got, sizeof size - got, 0);
    if (count <= 0) return fail("size");
    got += count;
  }
  std::fstream file(path, std::ios::out | std::ios::binary | std::ios::trunc);
  while (offset < size) {
    int64_t at = 0, piece = size - offset < (4 << 20) ? size - offset : 4 << 20;
    file.seekp(offset);
    if ((at = UDT::recvfile(peer, file, offset, piece)) <= 0) return fail("recvfile");
    file.flush();
  }
  UDT::send(peer, "k", 1, 0);
  UDT::close(peer);
  return 0;
}

static int sendOne(const char *host, int port, const char *path) {
  UDTSOCKET socket = UDT::socket(AF_INET, SOCK_STREAM, 0);
  enlarge(socket);
  sockaddr_in peer = {};
  peer.sin_family = AF_INET;
  peer.sin_port = htons(port);
  inet_pton(AF_INET, host, &peer.sin_addr);
  if (UDT::connect(socket, (sockaddr *)&peer, sizeof peer) == UDT::ERROR) return fail("connect");
  std::fstream file(path, std::ios::in | std::ios::binary);
  file.seekg(0, std::ios::end);
  int64_t size = file.tellg(), offset = 0;
  UDT::send(socket, (char *)&size, sizeof size, 0);
  while (offset < size)
    if (UDT::sendfile(socket, file, offset, size - offset) <= 0) return fail("sendfile");
  char done;
  UDT::recv(socket, &done, 1, 0);
  UDT::close(socket);
  return 0;
}

int main(int count, char **arguments) {
  if (count == 4 && !strcmp(arguments[1], "recv")) return receive(atoi(arguments[2]), arguments[3]);
  if (count == 5 && !strcmp(arguments[1], "send")) return sendOne(arguments[2], atoi(arguments[3]), arguments[4]);
  fprintf(stderr, "udt-copy recv PORT FILE | send HOST PORT FILE\n");
  return 2;
}
