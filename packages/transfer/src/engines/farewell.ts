import type { ByteChannel } from '@godwit/transport/node'
import type { TransferError } from '../errors/transfer-error.ts'
import type { OutgoingMessages } from '../messages/message-log.ts'

const LOOK_MS = 200
/** A peer that has taken nothing for so long is gone. */
const FAREWELL_MS = 5_000
/** The code of a connection whose transfer has failed. */
const FAILED = 4

/**
 * Closes the channel of a transfer that has failed as soon as the peer has the last messages. A close overtakes them, and
 * a peer that knows of nothing else takes it for a lost connection and comes back.
 */
export function closeOnceHeard(channel: ByteChannel, outgoing: OutgoingMessages, { code }: TransferError): void {
  if (code === 'PEER_LOST') return channel.close(FAILED, code)
  let waitedMs = 0
  const looking = setInterval(() => {
    waitedMs += LOOK_MS
    if (!outgoing.isHeard && waitedMs < FAREWELL_MS) return
    clearInterval(looking)
    channel.close(FAILED, code)
  }, LOOK_MS).unref()
}
