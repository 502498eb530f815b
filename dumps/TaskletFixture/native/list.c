/* The live list, and what is done to tasklets once they are captured. */
#include "tasklets.h"
#include <stdlib.h>

/* Kept out of .bss, which has pages that heap dumps keep: in the real runtime the head is missing there, too. */
EXPORT __attribute__((section(".data"))) Tasklet* g_pTaskletSentinel = NULL;

__attribute__((constructor)) static void initialize_tasklets(void) {
  g_pTaskletSentinel = calloc(1, sizeof(Tasklet));
  g_pTaskletSentinel->pTaskletNextInLiveList = g_pTaskletSentinel->pTaskletPrevInLiveList = g_pTaskletSentinel;
}

void list_register(Tasklet* t) {
  Tasklet* head = g_pTaskletSentinel;
  t->pTaskletNextInLiveList = head->pTaskletNextInLiveList;
  t->pTaskletPrevInLiveList = head;
  head->pTaskletNextInLiveList->pTaskletPrevInLiveList = t;
  head->pTaskletNextInLiveList = t;
}

void list_unlink(Tasklet* t) {
  if (!t->pTaskletNextInLiveList)
    return;
  t->pTaskletPrevInLiveList->pTaskletNextInLiveList = t->pTaskletNextInLiveList;
  t->pTaskletNextInLiveList->pTaskletPrevInLiveList = t->pTaskletPrevInLiveList;
  t->pTaskletNextInLiveList = t->pTaskletPrevInLiveList = NULL;
}

/* Takes the root of a stack out of the list, as a race does. */
EXPORT void tl_unregister(Tasklet* t) {
  for (; t; t = t->pTaskletNextInStack)
    list_unlink(t);
}

EXPORT Tasklet* tl_next(const Tasklet* t) { return t->pTaskletNextInStack; }

EXPORT int32_t tl_has_list(void) { return TL_HAS_LIST; }

/* Of one tasklet, or with its callers. */
EXPORT void tl_set_generation(Tasklet* t, int32_t generation, int32_t callersToo) {
#if TL_HAS_GENERATION
  for (; t; t = callersToo ? t->pTaskletNextInStack : NULL)
    t->minGeneration = generation;
#else
  (void)t, (void)generation, (void)callersToo;
#endif
}

/* What the experiment does when a frame has run. That it clears its caller's PrevInStack is one of its traps: when the frame
   suspended again, the new one is forgotten. */
EXPORT void tl_delete(Tasklet* t) {
#if TL_HAS_PREV
  if (t->pTaskletNextInStack)
    t->pTaskletNextInStack->pTaskletPrevInStack = NULL;
#endif
  list_unlink(t);
  free(t->pStackDataInfo->ByRefOffsets);
  free(t->pStackDataInfo->ObjectRefOffsets);
  free(t->pStackDataInfo->RegistersToRestore);
  free(t->pStackDataInfo);
  free(t->pStackData);
  free(t);
}

/* How many tasklets are in the live list. */
EXPORT int64_t tl_count(void) {
  int64_t count = 0;
  for (Tasklet* t = g_pTaskletSentinel->pTaskletNextInLiveList; t != g_pTaskletSentinel; t = t->pTaskletNextInLiveList)
    count++;
  return count;
}
