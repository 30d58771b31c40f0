// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Functions and constants that have the same declarations on all systems, after POSIX.1-2024
// (https://pubs.opengroup.org/onlinepubs/9799919799/). A system's header declares its own types first.

typedef long ssize_t;
typedef long long off_t;

int close(int);
int pipe(int [2]);
ssize_t read(int, void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t write(int, const void *, size_t);
int isatty(int);
int access(const char *, int);
off_t lseek(int, off_t, int);
int unlink(const char *);
int rename(const char *, const char *);
ssize_t readlink(const char *restrict, char *restrict, size_t);
int mkdir(const char *, mode_t);
int munmap(void *, size_t);
void *mmap(void *, size_t, int, int, int, off_t);

FILE *fopen(const char *restrict, const char *restrict);
int fclose(FILE *);
FILE *popen(const char *, const char *);
int pclose(FILE *);
size_t fread(void *restrict, size_t, size_t, FILE *restrict);
size_t fwrite(const void *restrict, size_t, size_t, FILE *restrict);
int fputs(const char *restrict, FILE *restrict);
ssize_t getline(char **restrict, size_t *restrict, FILE *restrict);
char *strerror(int);
char *getenv(const char *);
void free(void *);
_Noreturn void _exit(int);

int sched_yield(void);
int usleep(unsigned);
long sysconf(int);
void *dlsym(void *restrict, const char *restrict);
int raise(int);
int sigemptyset(sigset_t *);
int system_sigaction(int, const struct system_sigaction *restrict, struct system_sigaction *restrict)
  SWIFT_NAME(sigaction(_:_:_:));
int poll(struct pollfd *, nfds_t, int);

#define STDERR_FILENO 2
#define EXIT_SUCCESS 0
#define X_OK 1
#define O_RDONLY 0
#define O_WRONLY 1
#define SEEK_END 2
#define PROT_READ 1
#define MAP_PRIVATE 2
#define EINTR 4
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGTERM 15

struct pollfd {
  int fd;
  short events;
  short revents;
};
