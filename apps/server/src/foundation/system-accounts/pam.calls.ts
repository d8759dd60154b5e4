import koffi from 'koffi'
import type { PamAnswer, PamQuestion, SystemAccount } from './pam.types.ts'

/**
 * Calls of Linux-PAM and of the C library's account database, which block until the modules have answered: only for a process
 * of their own. Struct layouts are those of 64-bit Linux headers (security/_pam_types.h, pwd.h, grp.h).
 */

const SUCCESS = 0
const SERVICE_FAULT = 4
/** PAM_PERM_DENIED, PAM_AUTH_ERR, PAM_USER_UNKNOWN, PAM_MAXTRIES, PAM_NEW_AUTHTOK_REQD, PAM_ACCT_EXPIRED. */
const REFUSALS: ReadonlySet<number> = new Set([6, 7, 10, 11, 12, 13])
const ECHO_OFF = 1
const ECHO_ON = 2
const CONVERSATION_FAILED = 19
const MESSAGES_MAX = 32
/** Results of modules: silent, and no empty passwords. */
const FLAGS = 0x8000 | 0x1
const GROUPS_MAX = 1024
/** What is asked about instead of somebody who is nobody here, so that the answer takes as long. */
const NOBODY = 'godwit-nobody'

const Message = koffi.struct('pam_message', { style: 'int', text: 'const char *' })
const Response = koffi.struct('pam_response', { text: 'void *', code: 'int' })
const Conversation = koffi.pointer(
  koffi.proto('int pam_conversation(int count, void *messages, void *responses, void *data)'),
)
const PamConv = koffi.struct('pam_conv', { conversation: Conversation, data: 'void *' })
const Passwd = koffi.struct('passwd', {
  ...{ name: 'const char *', password: 'void *', uid: 'uint32', gid: 'uint32' },
  ...{ comment: 'const char *', home: 'void *', shell: 'void *' },
})
const Group = koffi.struct('group', { name: 'const char *', password: 'void *', gid: 'uint32', members: 'void *' })

interface Entry {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly comment: string | null
}

const libc = koffi.load('libc.so.6')
const calloc = libc.func('calloc', 'void *', ['size_t', 'size_t'])
const strdup = libc.func('strdup', 'void *', ['str'])
const getpwnam = libc.func('getpwnam', koffi.pointer(Passwd), ['str'])
const getgrgid = libc.func('getgrgid', koffi.pointer(Group), ['uint32'])
const getgrouplist = libc.func('getgrouplist', 'int', ['str', 'uint32', 'void *', koffi.inout(koffi.pointer('int'))])

/** @throws Error where the system has no PAM */
export function askPam(question: PamQuestion): PamAnswer {
  const entry = entryOf(question)
  const result = authenticate({ ...question, login: entry?.name ?? NOBODY })
  if (result === SUCCESS) return entry === undefined ? 'anybody' : { account: accountOf(entry) }
  if (!REFUSALS.has(result)) return { error: result }
  return entry === undefined ? 'unknown' : 'wrong'
}

/** Nobody signs in as the system itself: a small number belongs to a service, and 0 is the administrator. */
function entryOf({ login, minUid }: PamQuestion): Entry | undefined {
  const found: unknown = getpwnam(login)
  if (found === null) return undefined
  const entry = koffi.decode(found, Passwd) as Entry
  return entry.name === login && entry.uid >= Math.max(1, minUid) ? entry : undefined
}

function accountOf({ name, uid, gid, comment }: Entry): SystemAccount {
  // The first field of GECOS.
  return { uid, login: name, name: (comment ?? '').split(',')[0]?.trim() ?? '', groups: groupsOf(name, gid) }
}

function groupsOf(login: string, gid: number): string[] {
  const ids = new Uint32Array(GROUPS_MAX)
  const count: [number] = [GROUPS_MAX]
  // With more groups than anybody has it answers -1, and the first of them are there all the same.
  getgrouplist(login, gid, ids, count)
  return [...ids.subarray(0, Math.min(GROUPS_MAX, count[0]))].flatMap((id) => {
    const group: unknown = getgrgid(id)
    return group === null ? [] : [(koffi.decode(group, Group) as { readonly name: string }).name]
  })
}

function authenticate({ service, login, password, folder }: PamQuestion): number {
  const pam = koffi.load('libpam.so.0')
  const conv = koffi.pointer(PamConv)
  const start = pam.func('pam_start', 'int', ['str', 'str', conv, koffi.out('void **')])
  const startIn = pam.func('pam_start_confdir', 'int', ['str', 'str', conv, 'str', koffi.out('void **')])
  const check = pam.func('pam_authenticate', 'int', ['void *', 'int'])
  const isAllowed = pam.func('pam_acct_mgmt', 'int', ['void *', 'int'])
  const end = pam.func('pam_end', 'int', ['void *', 'int'])
  const conversation = koffi.register(
    (count: number, messages: unknown, responses: unknown) => answer(password, { count, messages, responses }),
    Conversation,
  )
  const handle: [unknown] = [null]
  const talk = { conversation, data: null }
  const begun = Number(
    folder === '' ? start(service, login, talk, handle) : startIn(service, login, talk, folder, handle),
  )
  if (begun !== SUCCESS) return SERVICE_FAULT
  const proved = Number(check(handle[0], FLAGS))
  // A right password of an account that expired, or that may not sign in now.
  const result = proved === SUCCESS ? Number(isAllowed(handle[0], FLAGS)) : proved
  end(handle[0], result)
  return result
}

interface Asked {
  readonly count: number
  readonly messages: unknown
  readonly responses: unknown
}

/** Says the password to whoever asks for something that is not shown, and nothing else: a second question is not answered. */
function answer(password: string, { count, messages, responses }: Asked): number {
  if (count < 1 || count > MESSAGES_MAX) return CONVERSATION_FAILED
  const asked = koffi.decode(messages, 'void *', count) as unknown[]
  // PAM frees them, so the C library makes them.
  const given: unknown = calloc(count, koffi.sizeof(Response))
  for (const [at, message] of asked.entries()) {
    const { style } = koffi.decode(message, Message) as { readonly style: number }
    if (style === ECHO_ON) return CONVERSATION_FAILED
    const text: unknown = style === ECHO_OFF ? strdup(password) : null
    koffi.encode(given, at * koffi.sizeof(Response), Response, { text, code: 0 })
  }
  koffi.encode(responses, 'void *', given)
  return SUCCESS
}
