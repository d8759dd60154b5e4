import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMiB } from '../cpu.ts'
import type { Measured, Table } from '../figures.ts'
import type { Rival } from '../rivals/rival.types.ts'

/** Time from the start of the process to the first answer, and memory after it has been idle for three seconds. */
export async function footprintLoad(
  subjects: ReadonlyArray<(work: string) => Promise<Rival>>,
  work: string,
  runs: number,
): Promise<Table[]> {
  const starts: Measured[] = []
  const memories: Measured[] = []
  for (const [index, start] of subjects.entries()) {
    const startMs: number[] = []
    const idleMiB: number[] = []
    let subject = ''
    for (let turn = 0; turn < runs; turn++) {
      const folder = path.join(work, `idle-${index}-${turn}`)
      fs.mkdirSync(folder)
      const begun = performance.now()
      await using rival = await start(folder)
      startMs.push(performance.now() - begun)
      subject = rival.name
      await sleep(3000)
      idleMiB.push(residentMiB(rival.pid))
    }
    starts.push({ subject, unit: 'ms', values: startMs, lessIsBetter: true })
    memories.push({ subject, unit: 'MiB', values: idleMiB, lessIsBetter: true })
  }
  return [
    { load: 'Start', conditions: `process to first answer, ${runs} runs`, rows: starts },
    { load: 'Idle memory', conditions: `resident after 3 s, ${runs} runs`, rows: memories },
  ]
}
