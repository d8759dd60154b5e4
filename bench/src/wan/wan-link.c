/*
 * wan-link: joins two network namespaces by an emulated long line, for kernels without netem.
 *
 *   namespace A  [tun "wan0"] <-> this process <-> [tun "wan0"]  namespace B
 *
 * Per direction a packet passes: random loss -> drop-tail queue -> serialisation at the line rate -> delay -> delivery.
 * The rate counts IP bytes. Loss comes first, as in netem, so lost packets use no line time.
 * Loss decisions draw once a packet from a seeded generator per direction: the same seed loses the same packet numbers.
 * Prints "ready" when both devices are up; answers SIGUSR1 and SIGTERM with one line of JSON counters on stdout.
 * A run counts only when tunDrops, fullDrops and writeErrors are 0: those are losses of this machine, not of the line;
 * pausedSeconds is the time in which this process was not run, so that the line stood still.
 *
 * Build: gcc -O2 -Wall -Wextra -o wan-link wan-link.c      Needs root, /dev/net/tun, iproute2.
 * One file on purpose: it is built by the bench at its start and has no other part.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MTU = 1500, CELL_BYTES = 1536, BATCH = 64, DEVICE_QUEUE = 10000 };
#define SECOND 1000000000ll
/* A wake-up this late is no line's doing. */
#define PAUSE (20 * 1000000ll)

struct cell {
  int64_t due;
  uint32_t length;
  uint8_t bytes[CELL_BYTES];
};

struct direction {
  int from, to, counters;
  double nanosPerByte, lossShare, meanBurst;
  int64_t delay, queueLimit;
  uint64_t random;
  int inBurst;
  double lineFreeAt;
  struct cell *cells;
  uint32_t capacity, head, count;
  uint64_t inPackets, inBytes, outPackets, outBytes, lossDrops, queueDrops, fullDrops, writeErrors, maxQueue;
};

struct settings {
  const char *name;
  double megabits[2], lossPercent[2], rttMs, meanBurst, queueBdp;
  uint64_t seed, queueBytes;
  int tickMicros;
};

static volatile sig_atomic_t stopping, reporting;
static double pausedSeconds;
static void onStop(int signal) { (void)signal; stopping = 1; }
static void onReport(int signal) { (void)signal; reporting = 1; }

static void fail(const char *what) {
  fprintf(stderr, "wan-link: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * SECOND + time.tv_nsec;
}

/* splitmix64: 53 uniform bits in [0, 1). */
static double uniform(uint64_t *state) {
  uint64_t mixed = (*state += 0x9e3779b97f4a7c15ull);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
  return ((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

/* Bernoulli, or the two-state Gilbert chain with the same average and the given mean burst length. */
static int lost(struct direction *line) {
  if (line->lossShare <= 0) return 0;
  if (line->meanBurst <= 1) return uniform(&line->random) < line->lossShare;
  double leave = 1 / line->meanBurst, enter = line->lossShare * leave / (1 - line->lossShare);
  line->inBurst = line->inBurst ? uniform(&line->random) >= leave : uniform(&line->random) < enter;
  return line->inBurst;
}

static void run(const char *command) {
  if (system(command)) { fprintf(stderr, "wan-link: failed: %s\n", command); exit(1); }
}

static void writeSetting(const char *path, const char *value) {
  int file = open(path, O_WRONLY);
  if (file < 0) return;
  if (write(file, value, strlen(value)) < 0) fprintf(stderr, "wan-link: %s not set\n", path);
  close(file);
}

/* Makes one namespace with its device and socket limits; returns the device. The caller's namespace is unchanged. */
static int openSide(const char *name, char side, int *counters) {
  char text[256];
  snprintf(text, sizeof text, "ip netns add %s%c", name, side);
  run(text);
  snprintf(text, sizeof text, "/run/netns/%s%c", name, side);
  int home = open("/proc/self/ns/net", O_RDONLY), space = open(text, O_RDONLY);
  if (home < 0 || space < 0 || setns(space, CLONE_NEWNET)) fail("namespace");
  close(space);
  int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0) fail("/dev/net/tun");
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
  strcpy(request.ifr_name, "wan0");
  if (ioctl(device, TUNSETIFF, &request)) fail("TUNSETIFF");
  int own = side == 'A' ? 1 : 2;
  snprintf(text, sizeof text,
           "ip link set lo up && ip link set wan0 mtu %d txqueuelen %d up && ip addr add 10.99.0.%d peer 10.99.0.%d dev wan0",
           MTU, DEVICE_QUEUE, own, 3 - own);
  run(text);
  writeSetting("/proc/sys/net/ipv4/tcp_rmem", "4096 131072 268435456");
  writeSetting("/proc/sys/net/ipv4/tcp_wmem", "4096 131072 268435456");
  writeSetting("/proc/sys/net/ipv4/tcp_no_metrics_save", "1");
  writeSetting("/proc/sys/net/ipv4/ping_group_range", "0 2147483647");
  *counters = open("/proc/thread-self/net/dev", O_RDONLY | O_CLOEXEC);
  if (setns(home, CLONE_NEWNET)) fail("return to the first namespace");
  close(home);
  return device;
}

/* Packets the kernel dropped because this process did not read its device in time: the 12th number of its line. */
static unsigned long long deviceDrops(int counters) {
  char text[4096];
  ssize_t length = pread(counters, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = 0;
  char *at = strstr(text, "wan0:");
  if (!at) return 0;
  at += 5;
  unsigned long long value = 0;
  for (int column = 0; column < 12; column++) value = strtoull(at, &at, 10);
  return value;
}

static void enqueue(struct direction *line, struct cell *cell, int64_t time) {
  line->inPackets++;
  line->inBytes += cell->length;
  if (lost(line)) { line->lossDrops++; return; }
  double start = line->lineFreeAt > time ? line->lineFreeAt : time;
  double backlog = (start - time) / line->nanosPerByte + cell->length;
  if (backlog > line->queueLimit) { line->queueDrops++; return; }
  if (backlog > line->maxQueue) line->maxQueue = backlog;
  line->lineFreeAt = start + cell->length * line->nanosPerByte;
  cell->due = (int64_t)line->lineFreeAt + line->delay;
  line->count++;
}

static int receive(struct direction *line) {
  static struct cell spare;
  int64_t time = now();
  int taken = 0;
  for (; taken < BATCH; taken++) {
    int full = line->count == line->capacity;
    struct cell *cell = full ? &spare : &line->cells[(line->head + line->count) % line->capacity];
    ssize_t length = read(line->from, cell->bytes, CELL_BYTES);
    if (length <= 0) break;
    cell->length = length;
    if (full) line->fullDrops++;
    else enqueue(line, cell, time);
  }
  return taken;
}

static int deliver(struct direction *line) {
  int64_t time = now();
  int given = 0;
  for (; given < BATCH && line->count; given++) {
    struct cell *cell = &line->cells[line->head];
    if (cell->due > time) break;
    if (write(line->to, cell->bytes, cell->length) == (ssize_t)cell->length) {
      line->outPackets++;
      line->outBytes += cell->length;
    } else line->writeErrors++;
    line->head = (line->head + 1) % line->capacity;
    line->count--;
  }
  return given;
}

static void printDirection(const char *name, struct direction *line) {
  printf("\"%s\":{\"inPackets\":%llu,\"inBytes\":%llu,\"outPackets\":%llu,\"outBytes\":%llu,\"lossDrops\":%llu,\"queueDrops\":%llu,"
         "\"tunDrops\":%llu,\"fullDrops\":%llu,\"writeErrors\":%llu,\"maxQueueBytes\":%llu,\"queueLimitBytes\":%lld}",
         name, (unsigned long long)line->inPackets, (unsigned long long)line->inBytes, (unsigned long long)line->outPackets,
         (unsigned long long)line->outBytes, (unsigned long long)line->lossDrops, (unsigned long long)line->queueDrops,
         deviceDrops(line->counters), (unsigned long long)line->fullDrops, (unsigned long long)line->writeErrors,
         (unsigned long long)line->maxQueue, (long long)line->queueLimit);
}

static void report(struct direction *lines) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  double cpu = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  printf("{\"cpuSeconds\":%.3f,\"pausedSeconds\":%.3f,", cpu, pausedSeconds);
  printDirection("aToB", &lines[0]);
  printf(",");
  printDirection("bToA", &lines[1]);
  printf("}\n");
  fflush(stdout);
}

static void readPair(const char *text, double pair[2]) {
  char *end;
  pair[0] = pair[1] = strtod(text, &end);
  if (*end == '/') pair[1] = strtod(end + 1, NULL);
}

static struct settings parse(int count, char **arguments) {
  struct settings wanted = {.name = "wan", .megabits = {100, 100}, .rttMs = 50, .meanBurst = 1, .queueBdp = 1, .seed = 1};
  for (int at = 1; at + 1 < count; at += 2) {
    const char *key = arguments[at], *value = arguments[at + 1];
    if (!strcmp(key, "--name")) wanted.name = value;
    else if (!strcmp(key, "--rate")) readPair(value, wanted.megabits);
    else if (!strcmp(key, "--rtt")) wanted.rttMs = atof(value);
    else if (!strcmp(key, "--loss")) readPair(value, wanted.lossPercent);
    else if (!strcmp(key, "--burst")) wanted.meanBurst = atof(value);
    else if (!strcmp(key, "--queue-bdp")) wanted.queueBdp = atof(value);
    else if (!strcmp(key, "--queue-bytes")) wanted.queueBytes = strtoull(value, NULL, 10);
    else if (!strcmp(key, "--seed")) wanted.seed = strtoull(value, NULL, 10);
    else { fprintf(stderr, "wan-link: unknown option %s\n", key); exit(2); }
  }
  for (const char *at = wanted.name; *at; at++)
    if (!(*at == '-' || (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9'))) { fprintf(stderr, "wan-link: bad name\n"); exit(2); }
  wanted.tickMicros = wanted.rttMs >= 4 ? 100 : wanted.rttMs >= 1 ? 50 : 25;
  return wanted;
}

static void prepare(struct direction *line, const struct settings *wanted, int side) {
  double bytesPerSecond = wanted->megabits[side] * 1e6 / 8;
  line->nanosPerByte = 1e9 / bytesPerSecond;
  line->lossShare = wanted->lossPercent[side] / 100;
  line->meanBurst = wanted->meanBurst;
  line->random = wanted->seed * 2 + side;
  uniform(&line->random);
  /* Waking up is half a tick late on average at each end of the delay. */
  line->delay = (int64_t)(wanted->rttMs / 2 * 1e6) - wanted->tickMicros * 1000ll;
  if (line->delay < 0) line->delay = 0;
  double queue = wanted->queueBytes ? wanted->queueBytes : bytesPerSecond * wanted->rttMs / 1000 * wanted->queueBdp;
  line->queueLimit = queue < 65536 && !wanted->queueBytes ? 65536 : (int64_t)queue;
  /* Room for a full queue and a full delay line of packets of 300 bytes on average, which acknowledgements may be. */
  line->capacity = (uint32_t)((line->queueLimit + bytesPerSecond * (wanted->rttMs / 2000 + 0.02)) / 300) + 4096;
  size_t size = (size_t)line->capacity * sizeof(struct cell);
  line->cells = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (line->cells == MAP_FAILED) fail("memory");
}

static void notePause(int64_t due) {
  int64_t late = now() - due;
  if (late > PAUSE) pausedSeconds += (double)late / SECOND;
}

static void waitForWork(struct direction *lines) {
  int64_t soonest = INT64_MAX;
  for (int side = 0; side < 2; side++)
    if (lines[side].count && lines[side].cells[lines[side].head].due < soonest) soonest = lines[side].cells[lines[side].head].due;
  int64_t span = soonest == INT64_MAX ? SECOND : soonest - now();
  if (span < 0) span = 0;
  if (span > SECOND) span = SECOND;
  struct timespec until = {span / SECOND, span % SECOND};
  struct pollfd files[2] = {{.fd = lines[0].from, .events = POLLIN}, {.fd = lines[1].from, .events = POLLIN}};
  int64_t due = now() + span;
  if (ppoll(files, 2, &until, NULL) == 0) notePause(due);
}

static void waitForTick(int tickMicros) {
  struct timespec tick = {0, tickMicros * 1000l};
  int64_t due = now() + tick.tv_nsec;
  clock_nanosleep(CLOCK_MONOTONIC, 0, &tick, NULL);
  notePause(due);
}

static void relay(struct direction *lines, int tickMicros) {
  while (!stopping) {
    int moved = 0, step;
    do {
      step = receive(&lines[0]) + receive(&lines[1]) + deliver(&lines[0]) + deliver(&lines[1]);
      moved += step;
    } while (step >= BATCH && !stopping);
    if (reporting) { reporting = 0; report(lines); }
    /* Under load the process looks once a tick instead of once a packet: a wake-up a packet would cost a whole core. */
    if (moved) waitForTick(tickMicros);
    else waitForWork(lines);
  }
}

int main(int count, char **arguments) {
  struct settings wanted = parse(count, arguments);
  static struct direction lines[2];
  lines[0].from = lines[1].to = openSide(wanted.name, 'A', &lines[0].counters);
  lines[1].from = lines[0].to = openSide(wanted.name, 'B', &lines[1].counters);
  for (int side = 0; side < 2; side++) prepare(&lines[side], &wanted, side);
  prctl(PR_SET_TIMERSLACK, 1);
  struct sched_param realtime = {.sched_priority = 10};
  if (sched_setscheduler(0, SCHED_FIFO, &realtime)) setpriority(PRIO_PROCESS, 0, -20);
  struct sigaction action = {.sa_handler = onStop};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  action.sa_handler = onReport;
  sigaction(SIGUSR1, &action, NULL);
  puts("ready");
  fflush(stdout);
  relay(lines, wanted.tickMicros);
  report(lines);
  char command[128];
  for (char side = 'A'; side <= 'B'; side++) {
    snprintf(command, sizeof command, "ip netns del %s%c", wanted.name, side);
    run(command);
  }
  return 0;
}
