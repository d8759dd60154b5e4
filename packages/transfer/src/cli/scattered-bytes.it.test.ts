import { MiB } from '@godwit/base'
import { CLIENT_TLS, proveCode } from '../codes/code-proof.ts'
import { connect } from '@godwit/transport/node'
import { describe, expect, it } from 'vitest'
import { BODY_OBJECT } from '../engines/engine.types.ts'
import { HASH_IDS } from '../hashes/tree-hash.ts'
import type { SafePath } from '../manifests/paths.ts'
import { MESSAGE_OBJECT, OutgoingMessages } from '../messages/message-log.ts'
import type { Message } from '../messages/messages.ts'
import { Receiver } from '../testing/live-transfer.ts'

const CHUNKS = 20_000
const MORE_MIB = 256

describe('a sender that knows the code and scatters one byte into each mebibyte of a long file', () => {
  it('is refused before its bytes hold much memory, and the receiver lives on (T64)', async () => {
    // Without a look at the space that is free: the announced file is larger than many disks.
    await using receiver = await Receiver.start('--sparse')
    const before = await receiver.residentMiB()
    const outgoing = new OutgoingMessages()
    const { host, port } = receiver
    const channel = await connect({ host, port, tls: CLIENT_TLS, proof: proveCode(receiver.code) })
    const ended = new Promise((resolve) => {
      channel.start({
        source: {
          read: (object, offset, length, bytes, at) =>
            object !== MESSAGE_OBJECT || outgoing.read(offset, length, { bytes, at }),
        },
        data: (_object, _offset, bytes) => channel.consumed(bytes.length),
        acked: (object, start, end) => {
          if (object === MESSAGE_OBJECT) outgoing.acked(start, end)
        },
        pathChanged: () => undefined,
        closed: resolve,
      })
    })
    const say = (message: Message): void => channel.send(MESSAGE_OBJECT, ...outgoing.append(message))
    const size = CHUNKS * MiB
    const open = { taskId: new Uint8Array(16).fill(8), hashId: HASH_IDS.blake3 }
    say({ type: 'open', ...open, existing: 'keep-newer', isChecksum: false, isDryRun: false })
    say({ type: 'manifest', entries: [{ kind: 'file', path: 'long.bin' as SafePath, size, mtimeMs: 1, mode: 0o600 }] })
    say({ type: 'manifest-end', files: 1, bytes: size })
    for (let chunk = 0; chunk < CHUNKS; chunk++) channel.send(BODY_OBJECT, chunk * MiB, chunk * MiB + 1)
    await ended
    expect(await receiver.program.named('failed')).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect((await receiver.residentMiB()) - before).toBeLessThan(MORE_MIB)
    expect(receiver.program.isRunning).toBe(true)
    channel.close(0, 'done')
  })
})
