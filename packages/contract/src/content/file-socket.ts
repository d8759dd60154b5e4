import { z } from 'zod'
import { SOCKET_TOPICS } from './file-socket-events.ts'
import { place, userPath } from './paths.ts'

/**
 * `/ws/files`: JSON text frames. The client signs in first, then calls operations by name and may watch folders.
 * Requests carry an `id`; the answer repeats it with `code` 200 and `data`, or with an error code and `message`.
 */
export const socketRequest = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('login'),
    id: z.int(),
    /** Either a session token, or the user name and password derived from it (see `transferCredentials`). */
    token: z.string().max(200).optional(),
    username: z.string().max(256).optional(),
    password: z.string().max(1024).optional(),
    spaceId: place.spaceId,
  }),
  z.strictObject({ type: z.literal('call'), id: z.int(), operation: z.string().max(40), input: z.unknown() }),
  z.strictObject({ type: z.literal('watch'), id: z.int(), ...place, folder: userPath }),
  z.strictObject({ type: z.literal('unwatch'), id: z.int(), ...place, folder: userPath }),
  z.strictObject({ type: z.literal('follow'), id: z.int(), topic: z.enum(SOCKET_TOPICS) }),
  z.strictObject({ type: z.literal('ping'), id: z.int() }),
])
export type SocketRequest = z.input<typeof socketRequest>
