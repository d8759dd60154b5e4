import type { Disk } from '../local/disk.ts'
import { systemError } from './memory-disk.ts'

/** Calls that answer at once and cannot fail by themselves. */
const PURE = ['pathOf'] as const
export type DiskCallName = Exclude<keyof Disk, (typeof PURE)[number]>

export interface DiskCall {
  /** Counted from 0 over all calls. */
  readonly index: number
  readonly name: DiskCallName
  readonly args: readonly unknown[]
}

export interface Fault {
  /** Inspects a call before it is made; an error code ('EIO') makes it fail instead. */
  (call: DiskCall): string | undefined
}

export interface WatchedDisk {
  readonly disk: Disk
  /** Every call so far, in the order they were begun. */
  readonly calls: readonly DiskCall[]
}

/** A disk whose calls are recorded and may fail. */
export function failingDisk(disk: Disk, fault: Fault = () => undefined): WatchedDisk {
  const calls: DiskCall[] = []
  const watched = new Proxy(disk, {
    get(target, name: DiskCallName | 'pathOf') {
      if (name === 'pathOf') return target.pathOf.bind(target)
      const method = target[name].bind(target) as (...args: readonly unknown[]) => Promise<unknown>
      return async (...args: readonly unknown[]) => {
        const call = { index: calls.length, name, args }
        calls.push(call)
        const code = fault(call)
        if (code !== undefined) throw systemError(code, name)
        return method(...args)
      }
    },
  })
  return { disk: watched, calls }
}

/** The n-th call of one of these names fails, once. */
export function failsOnCall(nth: number, code: string, names?: readonly DiskCallName[]): Fault {
  let seen = 0
  return (call) => ((names === undefined || names.includes(call.name)) && seen++ === nth ? code : undefined)
}

/** From the n-th call on everything fails: what a process that dies at this instant does to a disk. */
export function failsFromCall(nth: number): Fault {
  return (call) => (call.index >= nth ? 'EIO' : undefined)
}

/**
 * Runs `scenario` with the 1st, 2nd, 3rd ... call failing, until a run in which no fault was due.
 * @returns how many faults were tried
 */
export async function forEveryFault(
  makeFault: (nth: number) => Fault,
  scenario: (fault: Fault, nth: number) => Promise<void>,
): Promise<number> {
  for (let nth = 0; ; nth++) {
    let fired = false
    const fault = makeFault(nth)
    await scenario((call) => {
      const code = fault(call)
      fired ||= code !== undefined
      return code
    }, nth)
    if (!fired) return nth
  }
}
