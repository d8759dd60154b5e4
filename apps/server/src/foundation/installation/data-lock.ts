import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Clock } from '@godwit/base'
import { makeFolder } from '../../kernel/folders.ts'
import { Refused } from './refused.ts'

/** The process that has a data folder to itself. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** Changes with each start of the machine; '' where the system has none. A pid means something only together with it. */
  readonly bootId: string
  /** ISO 8601 */
  readonly startedAt: string
}

export interface DataLock {
  release(): void
}

/** Held by the operating system, which lets go of it when the process ends, however it ends. Nothing is ever written to it. */
const LOCK_FILE = 'server.lock'
/** Only names the owner for messages. A file of its own: a process that opened and closed the locked one would unlock it. */
const OWNER_FILE = 'server.lock.json'
/** A server that is being replaced may take a moment to let go. */
const WAIT_MS = 500

/**
 * Takes a data folder, which is made if it is missing, for this process alone: two servers would each trust a memory of
 * their own about the same files.
 * @throws Refused naming the process that has it
 */
export function lockDataFolder(data: string, clock: Clock): DataLock {
  makeFolder(data)
  const lock = new Sqlite(path.join(data, LOCK_FILE), { timeout: WAIT_MS })
  try {
    fs.chmodSync(path.join(data, LOCK_FILE), 0o640)
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (thrown) {
    lock.close()
    if (isBusy(thrown)) throw new Refused(refusal(data), { cause: thrown })
    throw thrown
  }
  writeOwner(data, clock)
  return {
    release() {
      fs.rmSync(path.join(data, OWNER_FILE), { force: true })
      lock.close()
    },
  }
}

/** Whether a server, or a command that must be alone, has the folder now. Makes nothing. */
export function isDataFolderLocked(data: string): boolean {
  const file = path.join(data, LOCK_FILE)
  if (!fs.existsSync(file)) return false
  const lock = new Sqlite(file, { timeout: 0 })
  try {
    lock.prepare('select 1 from sqlite_master').all()
    return false
  } catch (thrown) {
    if (isBusy(thrown)) return true
    throw thrown
  } finally {
    lock.close()
  }
}

function refusal(data: string): string {
  const owner = readOwner(data)
  const who =
    owner === undefined
      ? 'another process'
      : `process ${owner.pid} on ${owner.host}, which started at ${owner.startedAt}${owner.bootId === bootId() ? '' : ' (another machine, or before it restarted)'}`
  return [
    `${path.resolve(data)} is in use by ${who}.`,
    'Stop that one first, or give this one a folder of its own with --data.',
    'Several servers together need MySQL or MariaDB, Redis, storages that all of them reach, and a data folder each.',
  ].join(' ')
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY')
}

function writeOwner(data: string, clock: Clock): void {
  const owner: LockOwner = {
    pid: process.pid,
    host: os.hostname(),
    bootId: bootId(),
    startedAt: new Date(clock.now()).toISOString(),
  }
  try {
    fs.writeFileSync(path.join(data, OWNER_FILE), JSON.stringify(owner), { mode: 0o640 })
  } catch {
    // A full disk: the lock holds without a name, and a stale name must not be taken for ours.
    fs.rmSync(path.join(data, OWNER_FILE), { force: true })
  }
}

function readOwner(data: string): LockOwner | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.join(data, OWNER_FILE), 'utf8')) as LockOwner
  } catch {
    // Not written yet, or not whole: whose lock it is stays unknown.
    return undefined
  }
}

function bootId(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // Not Linux.
    return ''
  }
}
