// relay FIRST SECOND DELAY_US: copies frames between two interfaces, each delayed on its way.
// A stand-in for the kernel's netem, which many kernels are built without.
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WAITING_AT_MOST = 8192, LONGEST = 2048, IDLE_US = 1000000 };

struct frame {
    long long due; // microseconds, monotonic
    int length;
    char bytes[LONGEST];
};

struct way { // frames that came in at `from` and leave at `to`: a ring
    int from, to, first, end;
    struct frame *frames;
};

static long long now_us(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000LL + at.tv_nsec / 1000;
}

static int opened(const char *name) {
    int sock = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL));
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
    address.sll_ifindex = (int)if_nametoindex(name);
    if (sock < 0 || !address.sll_ifindex || bind(sock, (void *)&address, sizeof address)) {
        perror(name);
        exit(1);
    }
    struct packet_mreq all = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
    int one = 1, size = 8 << 20;
    setsockopt(sock, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all);
    setsockopt(sock, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one); // or it would copy its own frames
    setsockopt(sock, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    return sock;
}

static void take(struct way *way, long long delay) {
    for (;;) {
        int next = (way->end + 1) % WAITING_AT_MOST;
        struct frame *frame = &way->frames[way->end];
        if (next == way->first) return; // full: the kernel keeps them, and then drops them, as a cable would
        int length = (int)recv(way->from, frame->bytes, LONGEST, MSG_TRUNC);
        if (length < 0) return;
        if (length > LONGEST) {
            fprintf(stderr, "a frame of %d bytes is too long: switch segmentation off\n", length);
            continue;
        }
        frame->length = length;
        frame->due = now_us() + delay;
        way->end = next;
    }
}

static long long hand_on(struct way *way) { // returns in how many microseconds the next one is due
    while (way->first != way->end) {
        struct frame *frame = &way->frames[way->first];
        long long left = frame->due - now_us();
        if (left > 0) return left;
        if (send(way->to, frame->bytes, frame->length, 0) < 0) perror("send");
        way->first = (way->first + 1) % WAITING_AT_MOST;
    }
    return IDLE_US;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    int ends[2] = {opened(words[1]), opened(words[2])};
    long long delay = atoll(words[3]);
    struct way ways[2];
    for (int each = 0; each < 2; each++)
        ways[each] = (struct way){ends[each], ends[1 - each], 0, 0, calloc(WAITING_AT_MOST, sizeof(struct frame))};
    puts("relays");
    fflush(stdout);
    for (;;) {
        long long wait = IDLE_US;
        for (int each = 0; each < 2; each++) {
            take(&ways[each], delay);
            long long left = hand_on(&ways[each]);
            if (left < wait) wait = left;
        }
        struct pollfd polled[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
        struct timespec most = {wait / 1000000, wait % 1000000 * 1000};
        ppoll(polled, 2, &most, 0);
    }
}
