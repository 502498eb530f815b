/* Validates tasklets by the rules that a reader must hold them to. Once something was damaged, the kernel reads all memory: it
   refuses where another reader would crash, and takes its time for it. */
#define _GNU_SOURCE
#include "tasklets.h"
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MostRegisters = 19, MostFrames = 1 << 20 };

static int read_at(const void* from, void* to, size_t size) {
  if (!is_damaged) {
    memcpy(to, from, size);
    return 1;
  }
  struct iovec local = { to, size }, remote = { (void*)from, size };
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static int is_readable(const uint8_t* from, uint32_t size) {
  uint8_t page[4096];
  for (uint64_t i = 0; i < size; i += sizeof page) {
    if (!read_at(from + i, page, size - i < sizeof page ? size - i : sizeof page))
      return 0;
  }
  return 1;
}

static int are_offsets_inside(const void* offsets, uint32_t count, uint32_t size) {
  uint32_t read[64];
  for (uint32_t i = 0; i < count; i++) {
    if (i % 64 == 0 && (count > size / 8 || !read_at((const uint32_t*)offsets + i, read, 4 * (count - i < 64 ? count - i : 64))))
      return 0;
    if (read[i % 64] > size - 8)
      return 0;
  }
  return 1;
}

static int do_registers_end(const StackDataInfo* info) {
  for (int i = 0; i <= MostRegisters; i++) {
    RegRestore entry;
    if (!read_at(info->RegistersToRestore + i, &entry, sizeof entry))
      return 0;
    if (entry.reg == RegEndFirst || entry.reg == RegEndLast)
      return 1;
    if (entry.reg < 0 || entry.offset > info->StackDataSize - 8)
      return 0;
  }
  return 0;
}

/* Name of the first rule that a tasklet breaks; NULL for none. */
static const char* broken_rule(const Tasklet* t) {
  StackDataInfo info;
  if (!read_at(t->pStackDataInfo, &info, sizeof info))
    return "stack-info";
  if (info.ReturnAddressOffset + 8 + info.CbArgs != info.StackRequirement || info.StackRequirement != info.StackDataSize)
    return "stack-size";
  if (!is_readable(t->pStackData, info.StackDataSize))
    return "stack-data";
  if (!are_offsets_inside(info.ObjectRefOffsets, info.cObjectRefs, info.StackDataSize))
    return "object-refs";
  if (!are_offsets_inside(info.ByRefOffsets, info.cByRefs, info.StackDataSize))
    return "byrefs";
  if (!do_registers_end(&info))
    return "registers";
  if (t->taskletReturnType < ReturnInteger || t->taskletReturnType > ReturnByReference)
    return "return-type";
#if TL_HAS_GENERATION
  if (t->minGeneration < GenerationActive || t->minGeneration > GenerationMax)
    return "generation";
#endif
  return prolog_of(t->restoreIPAddress) ? NULL : "restore-ip";
}

/* A caller whose link was cleared is one of the experiment's traps, and no damage. */
static int is_back_link(const Tasklet* t, const Tasklet* callee) {
#if TL_HAS_PREV
  return !callee || !t->pTaskletPrevInStack || t->pTaskletPrevInStack == callee;
#else
  return t != callee;
#endif
}

/* Follows a stack outwards. The number of good tasklets in *good; returns the name of the first rule that is broken, or NULL. */
EXPORT const char* tl_verify(const Tasklet* innermost, int32_t* good) {
  const char* first = NULL;
  const Tasklet* before = NULL;
  int count = 0;
  *good = 0;
  for (const Tasklet* at = innermost; at; ) {
    Tasklet t;
    if (++count > MostFrames || !read_at(at, &t, sizeof t))
      return first ? first : "stack-link";
    if (!is_back_link(&t, before))
      return first ? first : "stack-link";
    const char* rule = broken_rule(&t);
    if (!rule)
      ++*good;
    else if (!first)
      first = rule;
    before = at;
    at = t.pTaskletNextInStack;
  }
  return first;
}

/* Walks the live list as a reader would: how many tasklets, or the name of what is wrong. */
EXPORT const char* tl_verify_list(int64_t* count) {
  Tasklet t;
  *count = 0;
  if (!read_at(g_pTaskletSentinel, &t, sizeof t))
    return "sentinel";
  for (const Tasklet *at = t.pTaskletNextInLiveList, *before = g_pTaskletSentinel; at != g_pTaskletSentinel; ) {
    if (++*count > MostFrames * 2 || !read_at(at, &t, sizeof t) || t.pTaskletPrevInLiveList != before)
      return "list-link";
    before = at;
    at = t.pTaskletNextInLiveList;
  }
  return NULL;
}
