/* Captures frames of JIT-compiled methods into tasklets, as the experiment's RuntimeSuspension_CaptureTasklets does. */
#include "tasklets.h"
#include <stdlib.h>
#include <string.h>

enum { ArgumentBytes = 32 };

/* Saves the registers that callees preserve before anything can change them: at [rsp] rbx, r12, r13, r14, r15. */
__asm__(
  ".text\n.globl tl_capture\n.type tl_capture, @function\ntl_capture:\n"
  "  push %rbp\n  mov %rsp, %rbp\n"
  "  push %r15\n  push %r14\n  push %r13\n  push %r12\n  push %rbx\n  sub $8, %rsp\n"
  "  lea 8(%rsp), %rsi\n  mov %rbp, %rdx\n  call capture_frames\n"
  "  add $8, %rsp\n  pop %rbx\n  pop %r12\n  pop %r13\n  pop %r14\n  pop %r15\n  pop %rbp\n  ret\n"
  ".size tl_capture, .-tl_capture\n");

/* One frame while it is walked over. */
typedef struct Frame { uintptr_t ip; uint8_t* sp; uintptr_t* base; const Prolog* prolog; } Frame;

static uint8_t* caller_sp(const Frame* f) { return (uint8_t*)(f->base + 2); }
static int32_t number_of(int saved) {
  static const int32_t numbers[SavedCount] = { RegRbx, RegR12, RegR13, RegR14, RegR15 };
  return numbers[saved];
}

static int by_number(const void* a, const void* b) { return ((const RegRestore*)a)->reg - ((const RegRestore*)b)->reg; }

/* A slot into which the method pushed its caller's register gets its own value of it. */
static void keep_registers(Tasklet* t, const Frame* f, const uintptr_t* live) {
  StackDataInfo* info = t->pStackDataInfo;
  RegRestore* list = info->RegistersToRestore = calloc(SavedCount + 2, sizeof *list);
  int count = 0;
  uint32_t baseOffset = (uint32_t)((uint8_t*)f->base - f->sp);
  list[count].reg = RegRbp;
  list[count++].offset = baseOffset;
  for (int r = 0; r < SavedCount; r++) {
    if (!(f->prolog->mask >> r & 1))
      continue;
    uint32_t offset = baseOffset - (uint32_t)f->prolog->below[r];
    memcpy(t->pStackData + offset, &live[r], 8);
    list[count].reg = number_of(r);
    list[count++].offset = offset;
  }
  qsort(list, (size_t)count, sizeof *list, by_number);
  list[count].reg = RegEndFirst;
  uintptr_t own = (uintptr_t)f->base;
  memcpy(t->pStackData + baseOffset, &own, 8);
}

static int is_noted(const Request* q, int frame, int isByRef, uintptr_t value) {
  for (int i = 0; i < q->noteCount; i++) {
    if ((q->notes[i].frame == frame || q->notes[i].frame < 0) && q->notes[i].isByRef == isByRef && q->notes[i].value == value)
      return 1;
  }
  return 0;
}

/* Slots that hold what the program recorded. The return address ends the frame; what is behind it belongs to the caller. */
static void find_references(const Request* q, Tasklet* t, int frame, uintptr_t base) {
  StackDataInfo* info = t->pStackDataInfo;
  uint32_t slots = info->ReturnAddressOffset / 8;
  info->ObjectRefOffsets = calloc(slots + 1, sizeof(uint32_t));
  info->ByRefOffsets = calloc(slots + 1, sizeof(int32_t));
  for (uint32_t i = 0; i < slots; i++) {
    uintptr_t value;
    memcpy(&value, t->pStackData + 8 * i, 8);
    if (value == base || is_noted(q, frame, 1, value))
      info->ByRefOffsets[info->cByRefs++] = (int32_t)(8 * i);
    else if (is_noted(q, frame, 0, value))
      info->ObjectRefOffsets[info->cObjectRefs++] = 8 * i;
  }
}

static Tasklet* capture_one(const Request* q, const Frame* f, int frame, const uintptr_t* live) {
  Tasklet* t = calloc(1, sizeof *t);
  StackDataInfo* info = t->pStackDataInfo = calloc(1, sizeof *info);
  t->restoreIPAddress = f->ip;
  info->CbArgs = ArgumentBytes;
  info->ReturnAddressOffset = (uint32_t)(caller_sp(f) - 8 - f->sp);
  info->StackRequirement = info->StackDataSize = info->ReturnAddressOffset + 8 + info->CbArgs;
  t->pStackData = malloc(info->StackDataSize);
  memcpy(t->pStackData, f->sp, info->StackDataSize);
  keep_registers(t, f, live);
  find_references(q, t, frame, (uintptr_t)f->base);
  return t;
}

/* Addresses of the stack become addresses of the copy that has what they point to; others' are left alone. */
static void relocate(Tasklet* t, const Frame* frames, Tasklet** tasklets, int count) {
  for (uint32_t i = 0; i < t->pStackDataInfo->cByRefs; i++) {
    uint8_t* slot = t->pStackData + t->pStackDataInfo->ByRefOffsets[i];
    uint8_t* value;
    memcpy(&value, slot, 8);
    for (int k = 0; k < count; k++) {
      if (value >= frames[k].sp && value < caller_sp(&frames[k])) {
        value = tasklets[k]->pStackData + (value - frames[k].sp);
        memcpy(slot, &value, 8);
        break;
      }
    }
  }
}

/* Callers that were executing wait again. */
static void callers_wait(Tasklet* t) {
#if TL_HAS_GENERATION
  for (; t; t = t->pTaskletNextInStack) {
    if (t->minGeneration == GenerationActive)
      t->minGeneration = 0;
  }
#else
  (void)t;
#endif
}

static Tasklet* link_all(Tasklet** tasklets, int count, Tasklet* callers) {
  for (int i = 0; i < count; i++) {
    Tasklet* next = i + 1 < count ? tasklets[i + 1] : callers;
    tasklets[i]->pTaskletNextInStack = next;
#if TL_HAS_PREV
    if (next)
      next->pTaskletPrevInStack = tasklets[i];
    else
      list_register(tasklets[i]);
#elif TL_HAS_LIST
    list_register(tasklets[i]);
#endif
  }
  return tasklets[0];
}

/* Fills frames with those from the mark to the end; -1 when code is met that is not known. */
static int walk(Request* q, uintptr_t* base, uintptr_t (*live)[SavedCount], Frame* frames, int limit) {
  int count = 0;
  q->innermost = base[1];
  for (; (uint8_t*)base[0] < q->end; base = (uintptr_t*)base[0]) {
    Frame f = { base[1], (uint8_t*)(base + 2), (uintptr_t*)base[0], prolog_of(base[1]) };
    if (!f.prolog) {
      q->unknown = f.ip;
      return -1;
    }
    if (caller_sp(&f) > q->crawlMark) {
      if (count + 1 >= limit)
        return 0;
      frames[count++] = f;
      memcpy(live[count], live[count - 1], sizeof live[0]);
    }
    for (int r = 0; r < SavedCount; r++) {
      if (f.prolog->mask >> r & 1)
        live[count][r] = *(uintptr_t*)((uint8_t*)f.base - f.prolog->below[r]);
    }
  }
  return count;
}

/* Returns the innermost tasklet; NULL when code is not known (q->unknown) or there is nothing to capture. */
__attribute__((visibility("hidden"), used)) Tasklet* capture_frames(Request* q, const uintptr_t* saved, uintptr_t* base) {
  enum { Limit = 4096 };
  static __thread Frame frames[Limit];
  static __thread Tasklet* tasklets[Limit];
  static __thread uintptr_t live[Limit][SavedCount];
  memcpy(live[0], saved, sizeof live[0]);
  q->unknown = 0;
  q->frames = walk(q, base, live, frames, Limit);
  if (q->frames <= 0)
    return NULL;
  for (int i = 0; i < q->frames; i++)
    tasklets[i] = capture_one(q, &frames[i], i - 1, live[i]);
  for (int i = 0; i < q->frames; i++)
    relocate(tasklets[i], frames, tasklets, q->frames);
  callers_wait(q->callers);
  return link_all(tasklets, q->frames, q->callers);
}
