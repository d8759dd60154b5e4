import { readFileSync } from 'node:fs'

/** Processor time of this thread, microseconds; undefined where the platform does not report it. */
export function threadCpu(): number | undefined {
  const used = process.threadCpuUsage?.()
  return used === undefined ? undefined : used.user + used.system
}

/** All threads of this process, start-up included. */
export function processUse(): { readonly cpuSeconds: number; readonly peakMemoryBytes: number } {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMemoryBytes: 1024 * (peakKibOfLinux() ?? maxRSS) }
}

/** On Linux `maxRSS` begins with what the program that started this one had in memory. @returns undefined elsewhere */
function peakKibOfLinux(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return kib === undefined ? undefined : Number(kib)
}
