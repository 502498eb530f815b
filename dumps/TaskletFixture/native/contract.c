/* The exported description of the structures. Offsets come from the compiler, so it cannot be wrong. */
#include "tasklets.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char owners[] = "System.Runtime.CompilerServices.RuntimeHelpers+RuntimeAsyncMaintainedData;"
  "System.Runtime.CompilerServices.RuntimeHelpers+RuntimeAsyncMaintainedData`1";

#define FIELD(type, name, field, kind) add(&at, "\"" name "\":[%d,\"" kind "\"],", (int)offsetof(type, field))
#define CLOSE() (at--, add(&at, "},"))

static char* text;
static size_t room;

/* Appends in the style of printf and moves the end. */
static void add(size_t* at, const char* format, ...) {
  __builtin_va_list values;
  __builtin_va_start(values, format);
  *at += (size_t)vsnprintf(text + *at, room - *at, format, values);
  __builtin_va_end(values);
}

static size_t add_types(size_t at) {
  add(&at, "\"types\":{\"Tasklet\":{\"!\":%d,", (int)sizeof(Tasklet));
  FIELD(Tasklet, "NextInStack", pTaskletNextInStack, "pointer");
  FIELD(Tasklet, "NextInLiveList", pTaskletNextInLiveList, "pointer");
  FIELD(Tasklet, "PrevInLiveList", pTaskletPrevInLiveList, "pointer");
  FIELD(Tasklet, "StackData", pStackData, "pointer");
  FIELD(Tasklet, "RestoreIP", restoreIPAddress, "pointer");
  FIELD(Tasklet, "StackDataInfo", pStackDataInfo, "pointer");
  FIELD(Tasklet, "ReturnType", taskletReturnType, "int32");
#if TL_HAS_GENERATION
  FIELD(Tasklet, "MinGeneration", minGeneration, "int32");
#endif
#if TL_HAS_PREV
  FIELD(Tasklet, "PrevInStack", pTaskletPrevInStack, "pointer");
#endif
  CLOSE();
  add(&at, "\"TaskletStackDataInfo\":{\"!\":%d,", (int)sizeof(StackDataInfo));
  FIELD(StackDataInfo, "StackRequirement", StackRequirement, "uint32");
  FIELD(StackDataInfo, "UnrecordedDataSize", UnrecordedDataSize, "uint32");
  FIELD(StackDataInfo, "StackDataSize", StackDataSize, "uint32");
  FIELD(StackDataInfo, "ReturnAddressOffset", ReturnAddressOffset, "uint32");
  FIELD(StackDataInfo, "ByRefCount", cByRefs, "uint32");
  FIELD(StackDataInfo, "ObjectRefCount", cObjectRefs, "uint32");
  FIELD(StackDataInfo, "ArgumentBytes", CbArgs, "uint32");
  FIELD(StackDataInfo, "ByRefOffsets", ByRefOffsets, "pointer");
  FIELD(StackDataInfo, "ObjectRefOffsets", ObjectRefOffsets, "pointer");
  FIELD(StackDataInfo, "RegistersToRestore", RegistersToRestore, "pointer");
  CLOSE();
  add(&at, "\"TaskletRegRestore\":{\"!\":%d,", (int)sizeof(RegRestore));
  FIELD(RegRestore, "Register", reg, "int32");
  FIELD(RegRestore, "Offset", offset, "uint32");
  CLOSE();
  at--;
  add(&at, "},");
  return at;
}

/* sentinel: how the variable with the head of the list is named, in JSON. */
static size_t add_globals(size_t at, const char* sentinel) {
  add(&at, "\"globals\":{");
  if (TL_HAS_LIST)
    add(&at, "\"TaskletSentinel\":%s,", sentinel);
  add(&at, "\"TaskletRestoreIPIsReturnAddress\":[1,\"uint8\"],\"TaskletRegisterNames\":[\"%s\",\"string\"],", TL_REGISTER_NAMES);
  add(&at, "\"TaskletRegisterEndFirst\":[%d,\"int32\"],\"TaskletRegisterEndLast\":[%d,\"int32\"],", RegEndFirst, RegEndLast);
  add(&at, "\"TaskletReturnTypeNames\":[\"Integer,ObjectReference,ByReference\",\"string\"],");
  if (TL_HAS_GENERATION)
    add(&at, "\"TaskletActiveGeneration\":[%d,\"int32\"],", GenerationActive);
  add(&at, "\"TaskletOwnerTypes\":[\"%s\",\"string\"],\"TaskletOwnerChainField\":[\"_nextTasklet\",\"string\"],", owners);
  add(&at, "\"TaskletOwnerAwaiterField\":[\"_awaiter\",\"string\"],\"TaskletOwnerActiveField\":[\"_suspendActive\",\"string\"],");
  add(&at, "\"TaskletHiddenMethods\":[\"AwaitAwaiterFromRuntimeAsync;UnsafeAwaitAwaiterFromRuntimeAsync\",\"string\"],");
  add(&at, "\"TaskletDispatcherMethods\":[\"ResumptionFunc\",\"string\"]}}");
  return at;
}

/* 1: roots in the list; 2: all in the list; 3: no list. The text is the caller's to free. */
static char* make_text(const char* sentinel) {
  room = 8192;
  text = calloc(1, room);
  size_t at = 0;
  add(&at, "{\"version\":0,\"baseline\":\"empty\",\"contracts\":{\"Async2Tasklets\":%d},", TL_HAS_PREV ? 1 : TL_HAS_LIST ? 2 : 3);
  at = add_types(at);
  at = add_globals(at, sentinel);
  return text;
}

/* The same as a file for --layout: there the variable has a name, since a file cannot know its address. */
EXPORT int32_t tl_contract_file(char* buffer, int32_t size) {
  char* made = make_text("{\"symbol\":\"g_pTaskletSentinel\",\"module\":\"" TL_MODULE "\"}");
  int32_t length = (int32_t)strlen(made);
  if (length < size)
    memcpy(buffer, made, (size_t)length + 1);
  free(made);
  return length;
}

#ifndef TL_NO_CONTRACT
/* As dotnet/runtime, docs/design/datacontracts/contract-descriptor.md has it. */
typedef struct ContractDescriptor {
  uint64_t magic;
  uint32_t flags, descriptor_size;
  const char* descriptor;
  uint32_t pointer_data_count, pad0;
  uintptr_t* pointer_data;
} ContractDescriptor;
_Static_assert(sizeof(ContractDescriptor) == 40, "size of the descriptor");

/* Both in .bss with pages of its own and filled at run time, JSON in malloc'ed memory: that is what heap dumps keep. */
EXPORT __attribute__((aligned(4096))) ContractDescriptor DotNetAsync2ContractDescriptor;
static uintptr_t pointers[2];

__attribute__((constructor)) static void describe(void) {
  ContractDescriptor* d = &DotNetAsync2ContractDescriptor;
  memcpy(&d->magic, "DNCCDAC", 8);
  d->flags = 1;
  d->descriptor = make_text("[[1],\"pointer\"]");
  d->descriptor_size = (uint32_t)strlen(d->descriptor);
  d->pointer_data_count = 2;
  d->pointer_data = pointers;
  pointers[1] = (uintptr_t)&g_pTaskletSentinel;
}

void contract_cut(void) { DotNetAsync2ContractDescriptor.descriptor_size /= 2; }
void contract_claim_32_bit(void) { DotNetAsync2ContractDescriptor.flags |= 2; }
#else
void contract_cut(void) {}
void contract_claim_32_bit(void) {}
#endif
