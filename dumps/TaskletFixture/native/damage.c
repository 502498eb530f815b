/* What can be wrong with a tasklet, one kind at a time. */
#define _GNU_SOURCE
#include "tasklets.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int is_damaged;

static void* no_memory(void) { return mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

static void point_back(Tasklet* t, Tasklet* innermost) { t->pTaskletNextInStack = innermost; }
static void point_out(Tasklet* t) { t->pTaskletNextInStack = no_memory(); }

static void break_list(Tasklet* t) {
  while (t->pTaskletNextInStack)
    t = t->pTaskletNextInStack;
  t->pTaskletNextInLiveList = (Tasklet*)0x1234567;
}

/* Entries that are right one by one, for longer than there are registers. */
static void lose_end_of_registers(StackDataInfo* info) {
  enum { Count = 64 };
  RegRestore* list = calloc(Count, sizeof *list);
  for (int i = 0; i < Count; i++)
    list[i] = info->RegistersToRestore[0];
  info->RegistersToRestore = list;
}

static int damage_sizes(const char* kind, Tasklet* t) {
  StackDataInfo* info = t->pStackDataInfo;
  if (!strcmp(kind, "object-count"))
    info->cObjectRefs = 0xFFFFFFFF;
  else if (!strcmp(kind, "byref-count"))
    info->cByRefs = 0xFFFFFFFF;
  else if (!strcmp(kind, "object-beyond"))
    info->ObjectRefOffsets[info->cObjectRefs++] = info->StackDataSize - 4;
  else if (!strcmp(kind, "byref-beyond"))
    info->ByRefOffsets[0] = (int32_t)info->StackDataSize + 4096;
  else if (!strcmp(kind, "return-address"))
    info->ReturnAddressOffset += 8;
  else if (!strcmp(kind, "registers-endless"))
    lose_end_of_registers(info);
  else
    return 0;
  return 1;
}

static int damage_fields(const char* kind, Tasklet* t) {
  if (!strcmp(kind, "stack-unreadable"))
    t->pStackData = no_memory();
  else if (!strcmp(kind, "info-unreadable"))
    t->pStackDataInfo = no_memory();
  else if (!strcmp(kind, "return-type"))
    t->taskletReturnType = 9;
  else if (!strcmp(kind, "generation"))
    tl_set_generation(t, 77, 0);
  else if (!strcmp(kind, "ip-zero"))
    t->restoreIPAddress = 0;
  else if (!strcmp(kind, "ip-native"))
    t->restoreIPAddress = (uintptr_t)&point_back + 1;
  else
    return 0;
  return 1;
}

static int damage_links(const char* kind, Tasklet* t, Tasklet* innermost) {
  if (!strcmp(kind, "stack-cycle"))
    point_back(t, innermost);
  else if (!strcmp(kind, "stack-garbage"))
    point_out(t);
  else if (!strcmp(kind, "list-garbage"))
    break_list(t);
  else if (!strcmp(kind, "sentinel-null"))
    g_pTaskletSentinel = NULL;
  else if (!strcmp(kind, "contract-32bit"))
    contract_claim_32_bit();
  else if (!strcmp(kind, "contract-cut"))
    contract_cut();
  else
    return 0;
  return 1;
}

/* Damages one tasklet of a stack, counted from the innermost. 0 when there is no such kind. */
EXPORT int32_t tl_damage(const char* kind, Tasklet* innermost, int32_t index) {
  Tasklet* t = innermost;
  is_damaged = 1;
  for (; index > 0 && t->pTaskletNextInStack; index--)
    t = t->pTaskletNextInStack;
  return damage_sizes(kind, t) || damage_fields(kind, t) || damage_links(kind, t, innermost);
}

/* A tasklet that stops in code that the program names. */
EXPORT void tl_set_ip(Tasklet* innermost, int32_t index, uintptr_t ip) {
  for (; index > 0 && innermost->pTaskletNextInStack; index--)
    innermost = innermost->pTaskletNextInStack;
  innermost->restoreIPAddress = ip;
  is_damaged = 1;
}
