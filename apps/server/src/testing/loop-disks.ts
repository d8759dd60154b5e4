import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { MiB } from '@godwit/base'
import type { Godwit } from '@godwit/testkit'

const run = promisify(execFile)

/** Only root may mount, and not in every container; elsewhere the campaigns that need a disk of their own cannot run. */
export const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && (await mountsLoopDisks())

async function mountsLoopDisks(): Promise<boolean> {
  try {
    await using _disk = await mountLoopDisk(4)
    return true
  } catch {
    // Whatever the system says against it, the answer is no.
    return false
  }
}

/** A filesystem in a file, mounted; what its image holds at a moment is what a power cut at that moment leaves. */
export interface LoopDisk extends AsyncDisposable {
  readonly folder: string
  /** Cuts the power under a server: everything that was not flushed to the disk is gone. */
  cutPower(server: Godwit): Promise<void>
}

/** @param type XFS needs 300 MiB */
export async function mountLoopDisk(mebibytes: number, type: 'ext4' | 'xfs' = 'ext4'): Promise<LoopDisk> {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-disk-'))
  const folder = path.join(base, 'mounted')
  const image = (number: number): string => path.join(base, `image-${number}`)
  let current = 0
  fs.mkdirSync(folder)
  fs.writeFileSync(image(0), '')
  fs.truncateSync(image(0), mebibytes * MiB)
  try {
    await run(`mkfs.${type}`, ['-q', image(0)])
    await run('mount', ['-o', 'loop', image(0), folder])
  } catch (error) {
    fs.rmSync(base, { recursive: true })
    throw error
  }
  return {
    folder,
    async cutPower(server) {
      // Stopped, so that it acknowledges nothing while the image is taken.
      process.kill(server.pid, 'SIGSTOP')
      await copyOfOneMoment(image(current), image(current + 1))
      await server.end('SIGKILL')
      await run('umount', [folder])
      fs.rmSync(image(current))
      current++
      await run('mount', ['-o', 'loop', image(current), folder])
    },
    async [Symbol.asyncDispose]() {
      await run('umount', [folder])
      fs.rmSync(base, { recursive: true, force: true })
    },
  }
}

/**
 * The kernel goes on writing after the server was stopped. A copy that it wrote into holds blocks of different moments, which no
 * power cut leaves, so it is taken again.
 */
async function copyOfOneMoment(from: string, to: string): Promise<void> {
  const written = (): bigint => fs.statSync(from, { bigint: true }).mtimeNs
  for (;;) {
    const before = written()
    await run('cp', ['--sparse=always', from, to])
    if (written() === before) return
  }
}

/** A filesystem in memory that is full after so many MiB. */
export async function mountSmallDisk(mebibytes: number): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-small-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'godwit-test', folder])
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await run('umount', [folder])
      fs.rmdirSync(folder)
    },
  }
}
