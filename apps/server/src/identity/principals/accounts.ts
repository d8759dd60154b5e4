import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal, Principal } from '../../kernel/principal.ts'
import type { Standing } from '../administrators/index.ts'
import { coversAddress } from '../users/index.ts'

/** What an account is and may do now, for a principal that stands for it. */
export interface Account {
  /** Name the account signs in with. */
  readonly account: string
  readonly isAdmin: boolean
  /** Permission bits in the personal files of a space (stored form); for an API token or a job already narrowed. */
  readonly permission: number
  /** Folder of the personal files inside a space's storage. */
  readonly home: string
  /** Bytes this account may keep; 0 = no limit; null = the installation's default. */
  readonly quotaBytes: number | null
  /** Spaces the account is a member of, ascending. */
  readonly spaceIds: readonly number[]
  /** Permission bits in spaces where the membership has its own; they replace `permission` there. */
  readonly memberPermissions?: Readonly<Record<number, number>>
  /** Address lists of the spaces that have any. */
  readonly spaceAddresses?: readonly SpaceAddresses[]
  /** The address that it acts from; left out for jobs, which come from nowhere. */
  readonly address?: string
  /** Flags that an API token, or a job of one, has nothing beyond in any place; left out for a person. */
  readonly cap?: number
  /** What an administrator narrowed, as JSON; left out without any rule. */
  readonly fileRules?: string
  /** Virtual directories in its homes; left out without any. */
  readonly mounts?: readonly MountOfAccount[]
  /** How fast it may send and receive, as JSON; left out without any limit. */
  readonly speedRules?: string
  /** Where it may be used from; left out when from everywhere. */
  readonly loginAddresses?: string
  /** What a person with a session may do in the console; left out for whoever administers nothing, and for programs. */
  readonly standing?: Standing
}

/** A folder of a storage under a name in the home of a space. */
export interface MountOfAccount {
  readonly id: number
  readonly spaceId: number
  readonly alias: string
  /** Of the folder, inside its storage. */
  readonly path: string
  /** Permission bits (stored form) that nobody has more than in it. */
  readonly permission: number
}

/** Who reaches a space, by address. */
export interface SpaceAddresses {
  readonly spaceId: number
  /** '' is everywhere. */
  readonly allowed: string
  readonly denied: string
}

declare module '../../kernel/principal.ts' {
  interface AccountFields {
    readonly account: Account
  }
  interface UserPrincipal {
    /** '' for a grant or ticket that no session made. */
    readonly sessionId: string
  }
  interface ClientPrincipal {
    /** The session the client was started from. */
    readonly sessionId: string
  }
  interface GuestPrincipal {
    /** Where the request came from; left out for what goes on without one. */
    readonly address?: string
  }
  interface ApiTokenPrincipal {
    readonly apiTokenId: string
  }
  interface JobPrincipal {
    readonly jobId: string
  }
}

/** @throws AppError PERMISSION_DENIED for guests and reviewers, who have none */
export function accountOf(principal: Principal): Account {
  if (principal.kind === 'guest' || principal.kind === 'reviewer') throw new AppError('PERMISSION_DENIED')
  return principal.account
}

/** The session behind a principal; '' without one, as for API tokens and jobs. */
export function sessionIdOf(principal: Principal): string {
  return principal.kind === 'user' || principal.kind === 'client' ? principal.sessionId : ''
}

/** @throws AppError TOKEN_INVALID for callers without an account */
export function requireAccount({ principal }: Pick<Ctx, 'principal'>): AccountPrincipal {
  if (principal === undefined || principal.kind === 'guest' || principal.kind === 'reviewer') {
    throw new AppError('TOKEN_INVALID')
  }
  return principal
}

/** Permission bits in the personal files of a space: those of the membership, else of the account; within those of a token. */
export function personalPermission(account: Account, spaceId: number): number {
  const own = account.memberPermissions?.[spaceId]
  return own === undefined ? account.permission : own & (account.cap ?? own)
}

/**
 * A principal as it may act from an address: without the spaces whose lists do not admit it.
 * @returns undefined when the account may not be used from there; guests are bound by nothing of an account
 */
export function admittedFrom<P extends Principal>(principal: P, address: string): P | undefined {
  const known: Principal = principal
  if (known.kind === 'reviewer') return principal
  if (known.kind === 'guest') return { ...principal, address }
  const { account } = known
  if (!coversAddress(account.loginAddresses ?? '', address)) return undefined
  return { ...principal, account: { ...account, address, spaceIds: reachable(account, address) } }
}

/** The same principal, loaded anew, where it was before. */
export function admittedAs<P extends AccountPrincipal>(fresh: P | undefined, before: AccountPrincipal): P | undefined {
  const { address } = before.account
  return fresh === undefined || address === undefined ? fresh : admittedFrom(fresh, address)
}

function reachable({ spaceIds, spaceAddresses = [] }: Account, address: string): readonly number[] {
  if (spaceAddresses.length === 0) return spaceIds
  const closed = new Set(spaceAddresses.filter((lists) => !reaches(lists, address)).map(({ spaceId }) => spaceId))
  return spaceIds.filter((id) => !closed.has(id))
}

/** A deny list refuses; an allow list, when there is one, must be passed. */
function reaches({ allowed, denied }: Omit<SpaceAddresses, 'spaceId'>, address: string): boolean {
  return coversAddress(allowed, address) && (denied === '' || !coversAddress(denied, address))
}
