import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../steps.ts'

/** What the image of the server is made of and how it runs, as its Containerfile says. */
export interface Image {
  /** Its last stage, instruction by instruction. */
  readonly lines: readonly string[]
  readonly user: string
  readonly environment: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly health: readonly string[]
}

export function readContainerfile(): Image {
  const text = readFileSync(join(ROOT, 'deploy/container/Containerfile'), 'utf8')
  const all = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '')
  const lines = all.slice(all.findLastIndex((line) => line.startsWith('FROM ')))
  const valueOf = (name: string): string =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ''
  const words = (json: string) => JSON.parse(json) as readonly string[]
  return {
    lines,
    user: valueOf('USER'),
    environment: Object.fromEntries(
      valueOf('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    entrypoint: words(valueOf('ENTRYPOINT')),
    command: words(valueOf('CMD')),
    health: words(valueOf('HEALTHCHECK').replace(/^.*?CMD /, '')),
  }
}
