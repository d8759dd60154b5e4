import { fileOperations, LIMITS, type AccessAnswer, type AccessQuestion, type AskedAction } from '@godwit/contract'
import type { Clock } from '@godwit/base'
import { placeOf, type JudgedPath, type PlaceIds } from '../../content/access/index.ts'
import type { AccountSpeeds } from '../../content/account-speeds/index.ts'
import type { FilesDeps } from '../../content/files/index.ts'
import { bucketOf, type Quotas } from '../../content/quotas/index.ts'
import type { RequireWeb } from '../../content/spaces/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { ServerState } from '../../foundation/server-state/index.ts'
import { requireGroup } from '../../identity/groups/index.ts'
import { accountOf, loadUser } from '../../identity/principals/index.ts'
import { barOf, usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { UserPrincipal } from '../../kernel/principal.ts'

export interface AccessAnswersDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly files: Pick<FilesDeps, 'access'>
  readonly quotas: Pick<Quotas, 'usageOf'>
  readonly speeds: Pick<AccountSpeeds, 'requireOpen'>
  readonly state: Pick<ServerState, 'requireOpen'>
  readonly licence: Pick<Licence, 'requireFeature'>
  readonly requireWeb: RequireWeb
}

const NOTHING = { from: null, permission: null, level: null, pattern: null, mount: null } as const
/** What the root of a place never takes. */
const CHANGES: ReadonlySet<AskedAction> = new Set(['replace', 'rename', 'move', 'delete'])
/** What moves bytes through the server, and so needs more than permissions. */
const TRANSFERS: ReadonlySet<AskedAction> = new Set(['download', 'uploadFile', 'replace'])

/**
 * What the server would say to an account, and why: the account itself, then its place, permissions and rules by the policy that
 * decides everywhere, then what transfers need besides. A path that does not exist is answered like one that does.
 * @throws AppError ACCOUNT_NOT_FOUND, GROUP_NOT_FOUND, NAME_INVALID, PATH_TOO_LONG
 */
export async function answerAccess(
  deps: AccessAnswersDeps,
  userId: string,
  question: AccessQuestion,
): Promise<AccessAnswer> {
  const user = await usersStore.byId(deps.db, userId)
  if (user === undefined) throw new AppError('ACCOUNT_NOT_FOUND')
  const place = await placeIn(deps.db, question)
  const bar = barOf(user, deps.clock.now())
  if (bar !== undefined) return refused(bar)
  const principal = await loadUser(deps.db, user, '')
  const judged = await judge(deps, principal, { ...question, place })
  if (typeof judged === 'string') return refused(judged)
  if (judged.path === '/' && CHANGES.has(question.action)) return refused('place-itself')
  if (judged.decision.answer !== 'allowed') return { ...answerOf(judged, principal), isAllowed: false }
  const besides = await missingBesides(deps, principal, { ...question, place })
  return besides === null ? answerOf(judged, principal) : { ...refused(besides), mount: judged.mount ?? null }
}

function refused(reason: AccessAnswer['reason']): AccessAnswer {
  return { ...NOTHING, isAllowed: false, reason }
}

async function placeIn(db: Db, { spaceId, groupId }: AccessQuestion): Promise<PlaceIds> {
  if (groupId === undefined) return { spaceId: spaceId ?? LIMITS.defaultSpaceId, groupId: LIMITS.defaultGroupId }
  const { id, space_id: ofGroup } = await requireGroup(db, groupId)
  return { spaceId: ofGroup, groupId: id }
}

interface Placed {
  readonly place: PlaceIds
  readonly path: string
  readonly action: AskedAction
}

async function judge(
  { files }: AccessAnswersDeps,
  principal: UserPrincipal,
  { place, path, action }: Placed,
): Promise<JudgedPath | 'no-space' | 'no-group'> {
  try {
    return await files.access.judge({ principal }, placeOf(place), path, action)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'NO_SPACE') return 'no-space'
    if (thrown instanceof AppError && thrown.code === 'GROUP_NOT_FOUND') return 'no-group'
    throw thrown
  }
}

function answerOf({ why, ids, mount: inMount }: JudgedPath, principal: UserPrincipal): AccessAnswer {
  const reason = why()
  const mount = inMount ?? null
  const about = { ...NOTHING, isAllowed: true, mount }
  switch (reason.kind) {
    case 'granted':
      return { ...about, reason: 'granted', from: sourceOf(ids, principal) }
    case 'flag':
      return { ...about, reason: 'flag', permission: reason.permission, from: sourceOf(ids, principal) }
    case 'cap':
      return { ...about, reason: 'flag', permission: reason.permission, from: 'mount' }
    case 'forbidden':
      return { ...about, reason: 'forbidden', level: reason.rules.level, pattern: reason.pattern ?? null }
    case 'not-among-allowed':
    case 'way-to-allowed':
    case 'new-only':
    case 'type':
      return { ...about, reason: reason.kind, level: reason.rules.level }
    case 'mount-itself':
      return { ...about, reason: 'mount-itself' }
    case 'administrator':
    case 'outside':
      // None of the actions needs an administrator, and an account has its places as a whole.
      throw new Error(`no answer for ${reason.kind}`)
  }
}

/** Who gave the permissions of a place. */
function sourceOf({ spaceId, groupId }: PlaceIds, principal: UserPrincipal): AccessAnswer['from'] {
  if (groupId > LIMITS.defaultGroupId) return 'group'
  return accountOf(principal).memberPermissions?.[spaceId] === undefined ? 'account' : 'space'
}

async function missingBesides(deps: AccessAnswersDeps, principal: UserPrincipal, placed: Placed) {
  if (placed.action === 'view') return (await lacksPreviews(deps)) ? 'edition' : null
  return TRANSFERS.has(placed.action) ? missingForTransfer(deps, principal, placed) : null
}

async function lacksPreviews({ licence }: AccessAnswersDeps): Promise<boolean> {
  try {
    await licence.requireFeature(fileOperations.preview.feature)
    return false
  } catch (thrown) {
    if (thrown instanceof AppError) return true
    throw thrown
  }
}

/** What keeps bytes from going through the server although the permissions are there. */
async function missingForTransfer(
  deps: AccessAnswersDeps,
  principal: UserPrincipal,
  { place, action }: Placed,
): Promise<'paused' | 'licence' | 'client-only' | 'quota' | null> {
  if (isRefused(() => deps.state.requireOpen())) return 'paused'
  if (isRefused(() => deps.speeds.requireOpen())) return 'licence'
  if (action === 'download') return (await needsClient(deps, principal, place)) ? 'client-only' : null
  const { usedBytes, quotaBytes } = await deps.quotas.usageOf(bucketOf({ userId: principal.id, ...place }))
  if (quotaBytes > 0 && usedBytes >= quotaBytes) return 'quota'
  return (await needsClient(deps, principal, place)) ? 'client-only' : null
}

function isRefused(check: () => void): boolean {
  try {
    check()
    return false
  } catch (thrown) {
    if (thrown instanceof AppError) return true
    throw thrown
  }
}

async function needsClient(
  { requireWeb }: AccessAnswersDeps,
  principal: UserPrincipal,
  { spaceId }: PlaceIds,
): Promise<boolean> {
  try {
    await requireWeb(principal, spaceId)
    return false
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'WEB_TRANSFER_NOT_ALLOWED') return true
    throw thrown
  }
}
