/** Processor time of this thread, microseconds; undefined where the platform does not report it. */
export function threadCpu(): number | undefined {
  const used = process.threadCpuUsage?.()
  return used === undefined ? undefined : used.user + used.system
}

/** All threads of this process, start-up included. */
export function processUse(): { readonly cpuSeconds: number; readonly peakMemoryBytes: number } {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMemoryBytes: maxRSS * 1024 }
}
