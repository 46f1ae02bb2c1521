/* For each line that is read: starts the program that was named, as cheaply as C can, and writes how
   many milliseconds passed until it had ended. */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return moment.tv_sec * 1e3 + moment.tv_nsec / 1e6;
}

int main(int count, char **words) {
  char line[16], *none[] = {NULL};
  if (count < 2) return 2;
  while (fgets(line, sizeof line, stdin) != NULL) {
    int status = -1;
    double started_ms = now_ms();
    pid_t child = vfork();
    if (child == 0) {
      execve(words[1], words + 1, none);
      _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
    printf("%.6f\n", now_ms() - started_ms);
    fflush(stdout);
  }
  return 0;
}
