/* Structures of the async2 experiment's unwinder variant, x64, as its runtimesuspension.h has them, in four shapes:
     TL_VARIANT 4  the newest: roots only in the live list, PrevInStack            (async2/unwinder-v4)
     TL_VARIANT 3  every tasklet in the live list, no PrevInStack                  (async2/unwinder-v3)
     TL_VARIANT 2  no list, no generation: only owners lead to tasklets
     TL_SHUFFLED   variant 4 with fields in another order, other sizes and other register numbers: a private build
   Nothing but the field's place differs, so all code here is written once. */
#ifndef TASKLETS_H
#define TASKLETS_H
#include <stddef.h>
#include <stdint.h>

#ifndef TL_VARIANT
#define TL_VARIANT 4
#endif
#define TL_HAS_LIST (TL_VARIANT >= 3)
#define TL_HAS_GENERATION (TL_VARIANT >= 3)
#define TL_HAS_PREV (TL_VARIANT >= 4)
#define EXPORT __attribute__((visibility("default")))

enum { ReturnInteger, ReturnObjectReference, ReturnByReference };
enum { GenerationActive = -1, GenerationMax = 2 };

#ifdef TL_SHUFFLED
enum { RegR15, RegR14, RegR13, RegR12, RegRsi, RegRdi, RegRbp, RegRbx, RegEndFirst = 40, RegEndLast = 41 };
#define TL_REGISTER_NAMES "r15,r14,r13,r12,rsi,rdi,rbp,rbx"
typedef struct RegRestore { uint32_t spare; uint32_t offset; int32_t reg; uint32_t more; } RegRestore;
typedef struct StackDataInfo {
  RegRestore* RegistersToRestore;
  uint32_t CbArgs, cObjectRefs, cByRefs, spare;
  uint32_t* ObjectRefOffsets;
  uint32_t ReturnAddressOffset, StackDataSize;
  int32_t* ByRefOffsets;
  uint32_t UnrecordedDataSize, StackRequirement;
  uint64_t more[3];
} StackDataInfo;
typedef struct Tasklet {
  uint64_t spare[2];
  struct Tasklet* pTaskletPrevInStack;
  int32_t minGeneration, taskletReturnType;
  StackDataInfo* pStackDataInfo;
  uint64_t between;
  uintptr_t restoreIPAddress;
  uint8_t* pStackData;
  struct Tasklet* pTaskletPrevInLiveList;
  struct Tasklet* pTaskletNextInLiveList;
  uint64_t more;
  struct Tasklet* pTaskletNextInStack;
} Tasklet;
_Static_assert(sizeof(Tasklet) == 96 && sizeof(StackDataInfo) == 80 && sizeof(RegRestore) == 16, "sizes of the shuffled build");
#else
enum { RegRbx, RegRbp, RegRdi, RegRsi, RegR12, RegR13, RegR14, RegR15, RegEndFirst = 18, RegEndLast = 19 };
#define TL_REGISTER_NAMES "rbx,rbp,rdi,rsi,r12,r13,r14,r15,xmm6,xmm7,xmm8,xmm9,xmm10,xmm11,xmm12,xmm13,xmm14,xmm15"
typedef struct RegRestore { int32_t reg; uint32_t offset; } RegRestore;
typedef struct StackDataInfo {
  uint32_t StackRequirement, UnrecordedDataSize, StackDataSize, ReturnAddressOffset, cByRefs, cObjectRefs, CbArgs;
  int32_t* ByRefOffsets;
  uint32_t* ObjectRefOffsets;
  RegRestore* RegistersToRestore;
} StackDataInfo;
typedef struct Tasklet {
  struct Tasklet* pTaskletNextInStack;
  struct Tasklet* pTaskletNextInLiveList;
  struct Tasklet* pTaskletPrevInLiveList;
  uint8_t* pStackData;
  uintptr_t restoreIPAddress;
  StackDataInfo* pStackDataInfo;
  int32_t taskletReturnType;
#if TL_HAS_GENERATION
  int32_t minGeneration;
#endif
#if TL_HAS_PREV
  struct Tasklet* pTaskletPrevInStack;
#endif
} Tasklet;
_Static_assert(sizeof(Tasklet) == (TL_HAS_PREV ? 64 : 56) && sizeof(StackDataInfo) == 56 && sizeof(RegRestore) == 8, "sizes of the experiment");
_Static_assert(offsetof(Tasklet, pStackDataInfo) == 40 && offsetof(StackDataInfo, ByRefOffsets) == 32, "offsets of the experiment");
#endif

/* An object or an address of a variable that the program says it keeps in a frame; frames count from the innermost user's,
   and a negative one stands for all. */
typedef struct Note { int32_t frame; int32_t isByRef; uintptr_t value; } Note;

/* What the managed half asks for. */
typedef struct Request {
  uint8_t* crawlMark;     /* lies in the first frame to capture */
  uint8_t* end;           /* lies in the first frame not to capture */
  Tasklet* callers;       /* captured before, when a resumed frame suspends again */
  Note* notes;
  int32_t noteCount;
  int32_t frames;         /* out: how many were captured */
  uintptr_t unknown;      /* out: a return address into code that tl_learn was not told of */
  uintptr_t innermost;    /* out: return address into the caller of tl_capture */
} Request;

/* Which callee-saved registers a method pushes, as bits of SavedRbx and so on, and where below its rbp. */
enum { SavedRbx, SavedR12, SavedR13, SavedR14, SavedR15, SavedCount };
typedef struct Prolog { uint32_t mask; int32_t below[SavedCount]; } Prolog;

extern Tasklet* g_pTaskletSentinel;
extern int is_damaged;

const Prolog* prolog_of(uintptr_t ip);

void list_register(Tasklet* t);
void list_unlink(Tasklet* t);
void contract_cut(void);
void contract_claim_32_bit(void);
void tl_set_generation(Tasklet* t, int32_t generation, int32_t callersToo);
#endif
