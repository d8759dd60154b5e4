import { z } from 'zod'
import { isServerOrigin } from './client-address.ts'
import { type SyncDirection, syncDirection } from './clients.ts'
import { LOCAL_CHOICES, LOCAL_PAUSES, type OverallState, RATE_UNITS, type RateUnit } from './local-client-states.ts'

/** The page of the desktop client itself, which its background process serves on its own computer. */

/** The fastest line of the slider; above it there is no limit. */
export const LOCAL_RATE_MAX_MBPS = 10_000

const LOCAL_PATH = z.string().min(1).max(4096)
const itemId = z.int().min(1)

/** What a program of the same computer asks for: a link, and the server that its page asks about; '' for none. */
export const localLinkRequest = z.strictObject({
  server: z.string().refine((text) => text === '' || isServerOrigin(text)),
})

/** What the page asks of the client. Every answer is a `LocalClientView`. */
export const localClientAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['pause', 'resume', 'cancel', 'retry', 'forget']), id: itemId }),
  /** About one file that exists already, about all of one folder, or, without both, about all that are left. */
  z.strictObject({
    action: z.literal('decide'),
    id: itemId,
    choice: z.enum(LOCAL_CHOICES),
    path: LOCAL_PATH.optional(),
    folder: z.string().max(4096).optional(),
  }),
  z.strictObject({ action: z.literal('pause-all'), pause: z.enum(LOCAL_PAUSES) }),
  z.strictObject({ action: z.literal('resume-all') }),
  z.strictObject({ action: z.literal('rate'), rateMbps: z.number().min(0).max(LOCAL_RATE_MAX_MBPS) }),
  z.strictObject({
    action: z.literal('watch'),
    direction: syncDirection,
    root: LOCAL_PATH,
    server: z.string().max(1024),
    account: z.string().max(256),
    target: z.string().min(1).max(4096),
  }),
  z.strictObject({ action: z.literal('unwatch'), root: LOCAL_PATH }),
  /** Sends what was chosen in a file manager. */
  z.strictObject({
    action: z.literal('send'),
    server: z.string().max(1024),
    account: z.string().max(256),
    target: z.string().min(1).max(4096),
  }),
  z.strictObject({ action: z.literal('send-stop') }),
  z.strictObject({ action: z.enum(['downloads', 'allow', 'forbid']), folder: LOCAL_PATH }),
  /** Patterns, separated by semicolons. */
  z.strictObject({ action: z.literal('exclude'), patterns: z.string().max(4096) }),
  z.strictObject({ action: z.enum(['autostart', 'notifications']), isOn: z.boolean() }),
  z.strictObject({ action: z.literal('rate-unit'), unit: z.enum(RATE_UNITS) }),
  /** Asks a server for a code that the person confirms in a browser; another sign-in under way ends. */
  z.strictObject({ action: z.literal('sign-in'), server: z.string().refine(isServerOrigin) }),
  z.strictObject({ action: z.literal('sign-in-stop') }),
])
export type LocalClientAction = z.infer<typeof localClientAction>

/** One side of a conflict. */
export interface LocalSide {
  /** Bytes. */
  readonly size: number
  /** Unix seconds; 0 when nobody knows. */
  readonly time: number
}

/** Files of one folder that are at the target already. */
export interface LocalConflictFolder {
  /** Below the target; '' for the target itself. */
  readonly folder: string
  readonly count: number
  /** Some of them, in the order of their paths. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly existing: LocalSide; readonly incoming: LocalSide }>
}

/** What the person has not decided yet. */
export interface LocalConflicts {
  readonly count: number
  /** Some of them, in the order of their names. */
  readonly folders: readonly LocalConflictFolder[]
}

export interface LocalItemView {
  readonly id: number
  readonly server: string
  readonly account: string
  readonly direction: 'upload' | 'download'
  readonly name: string
  readonly target: string
  readonly state: 'waiting' | 'running' | 'paused' | 'asking' | 'done' | 'partial' | 'failed' | 'cancelled'
  /** Why it failed or waits; '' otherwise. */
  readonly error: string
  readonly failures: ReadonlyArray<{ readonly path: string; readonly code: string }>
  /** Null unless it asks. */
  readonly conflicts: LocalConflicts | null
  readonly files: number
  readonly bytes: number
  readonly bytesDone: number
  readonly bytesPerSecond: number
  /** '' while it has no connection. */
  readonly path: 'udp' | 'tcp' | ''
  /** As the engine names it; '' while nobody knows. */
  readonly bottleneck: string
  /** Unix seconds; 0 while it is not over. */
  readonly finishedAt: number
}

/** not-utf8: no server could show its name. */
export type LocalSendFault = 'not-found' | 'not-utf8'

/** What was chosen in a file manager and waits for its target. */
export interface LocalSending {
  readonly count: number
  /** Some of them. */
  readonly names: readonly string[]
  /** What cannot be sent. */
  readonly left: ReadonlyArray<{ readonly name: string; readonly fault: LocalSendFault }>
}

/** A sign-in that was begun on the page. */
export interface LocalSignIn {
  readonly server: string
  /** failed: the server no longer answers as it should. */
  readonly state: 'waiting' | 'denied' | 'expired' | 'failed'
  /** Where the person confirms the code; an address of the server. */
  readonly url: string
  readonly userCode: string
}

export interface LocalClientView {
  readonly version: string
  readonly device: string
  readonly overall: OverallState
  readonly accounts: ReadonlyArray<{
    readonly server: string
    readonly account: string
    readonly isConnected: boolean
    /** What the server said when it refused; '' otherwise. */
    readonly reason: string
    /** The code of that refusal, which the page has a text for; 0 without one. */
    readonly refusal: number
    /** It may leave out nothing beyond what its server says. */
    readonly isLocked: boolean
  }>
  /** Newest first. */
  readonly items: readonly LocalItemView[]
  /** 0: no limit. */
  readonly rateMbps: number
  readonly rateUnit: RateUnit
  /** Unix seconds until which nothing is transferred; 0: everything goes. */
  readonly pausedUntil: number
  readonly watches: ReadonlyArray<{
    readonly direction: SyncDirection
    readonly root: string
    readonly target: string
    readonly server: string
    readonly account: string
    /** Why the folder of the server cannot be looked through, as in a transfer; '' otherwise. */
    readonly error: string
  }>
  readonly downloads: string
  /** Folders that pages of servers may send from without a dialog. */
  readonly allowed: readonly string[]
  /** Patterns of files that uploads leave out, separated by semicolons. */
  readonly exclude: string
  readonly autostart: boolean
  /** Null where nothing can show them. */
  readonly notifications: boolean | null
  /** Null without any. */
  readonly sending: LocalSending | null
  /** Null without one, and when it has come about. */
  readonly signIn: LocalSignIn | null
}
