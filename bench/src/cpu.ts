import fs from 'node:fs'

/** Linux counts CPU time of processes in these ticks. */
const TICKS_PER_SECOND = 100

/** CPU seconds, user and system, of a process and all its children so far. 0 where /proc is not there. */
export function cpuSeconds(pid: number): number {
  return family(pid).reduce((sum, member) => sum + ownSeconds(member), 0)
}

/** Resident memory of a process and its children, MiB. */
export function residentMiB(pid: number): number {
  return family(pid).reduce((sum, member) => {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${member}/status`))
    return sum + Number(line?.[1] ?? 0) / 1024
  }, 0)
}

function ownSeconds(pid: number): number {
  // The name in field 2 may hold spaces; after its closing parenthesis come the fixed fields.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}

function family(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((word) => word !== '')
  return [pid, ...children.flatMap((child) => family(Number(child)))]
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return '' // The process has ended, or this is not Linux.
  }
}
