import { z } from 'zod'

/** Where two programs meet that both sit behind NAT (docs/protocol.md, section 15). */
export const RENDEZVOUS_SOCKET_PATH = '/ws/rendezvous'

/** Who may open rooms: nobody, who has an account, or everybody. Whoever knows its number may join one. */
export const RENDEZVOUS_ACCESS = { off: 0, accounts: 1, everybody: 2 } as const

/** Digits of the number of a room, the part of a code that is no secret. */
const roomNumber = z.string().regex(/^\d{4,9}$/)

/** What a program says, as text, before bytes. */
export const rendezvousMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('open'),
    /** Of a session or an API token. */
    token: z.string().max(512).optional(),
    /** The room that it had before. */
    room: roomNumber.optional(),
    /** Given with that room. */
    key: z.string().max(64).optional(),
  }),
  z.strictObject({ type: z.literal('join'), room: roomNumber }),
])

/** What the server says, as text. Binary frames are the other program's. */
export type RendezvousServerMessage =
  | ({ readonly type: 'room'; readonly room: string; readonly key: string } & RendezvousReflector)
  /** The other one is there; what it sends follows. A receiver has its ticket already. */
  | ({ readonly type: 'joined' } & Partial<RendezvousReflector>)
  /** Nothing follows. */
  | { readonly type: 'refused'; readonly code: number; readonly message: string; readonly data?: object | undefined }

export interface RendezvousReflector {
  /** 32 hexadecimal digits; the reflector answers who shows it. */
  readonly ticket: string
  /** Null: the transfer port is closed. `host` is '' where it is the one of the server itself. */
  readonly udp: { readonly host: string; readonly port: number } | null
}
