/*
 * drain: downloads over HTTP and throws away, with as little of the machine as a reader can take, so that the figure is the
 * server's and not the reader's. One GET, a body of known length, read by 1 MiB at a time.
 * Prints the bytes of the body; ends with 1 and a line on stderr on any status but 200 and on a body that is cut.
 *
 *   drain HOST PORT PATH [HEADER ...]
 *
 * Build: gcc -O2 -Wall -o drain drain.c
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER = 1 << 20, HEAD = 1 << 16 };

static void fail(const char *why) {
  fprintf(stderr, "drain: %s\n", why);
  exit(1);
}

int main(int count, char **words) {
  if (count < 4) fail("HOST PORT PATH [HEADER ...]");
  static char head[HEAD], body[BUFFER];
  int length = snprintf(head, HEAD, "GET %s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n", words[3], words[1], words[2]);
  for (int word = 4; word < count && length < HEAD; word++)
    length += snprintf(head + length, HEAD - length, "%s\r\n", words[word]);
  if (length + 3 > HEAD) fail("headers too long");
  memcpy(head + length, "\r\n", 2);
  length += 2;

  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(words[2]))};
  if (inet_pton(AF_INET, words[1], &to.sin_addr) != 1) fail("not an IPv4 address");
  int line = socket(AF_INET, SOCK_STREAM, 0);
  if (line < 0 || connect(line, (struct sockaddr *)&to, sizeof to) != 0) fail("no connection");
  for (int sent = 0; sent < length;) {
    ssize_t more = send(line, head + sent, length - sent, MSG_NOSIGNAL);
    if (more <= 0) fail("could not ask");
    sent += more;
  }

  int held = 0;
  char *end = NULL;
  while (end == NULL) {
    ssize_t more = recv(line, head + held, HEAD - 1 - held, 0);
    if (more <= 0) fail("no answer");
    held += more;
    head[held] = 0;
    end = strstr(head, "\r\n\r\n");
  }
  end += 4;
  int status = 0;
  if (sscanf(head, "HTTP/1.%*d %d", &status) != 1 || status != 200) fail(head);
  char *field = strcasestr(head, "\r\nContent-Length:");
  if (field == NULL || field > end) fail("a body of unknown length");
  long long wanted = atoll(field + strlen("\r\nContent-Length:")), got = held - (end - head);
  while (got < wanted) {
    ssize_t more = recv(line, body, BUFFER, 0);
    if (more <= 0) fail("the body was cut");
    got += more;
  }
  printf("%lld\n", got);
  return 0;
}
