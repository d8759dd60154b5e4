import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGES, PURE, SERVER, WEB } from '../layers.js'
import { ROOT } from './steps.ts'

/** `node scripts/layers.ts` draws layers.js into docs/architecture.md, between the two marks. `npm run check` refuses drift. */

const DOCUMENT = 'docs/architecture.md'
const BEGIN = '<!-- layers: drawn by scripts/layers.ts -->'
const END = '<!-- layers: end -->'

/** Refuses a drawing that layers.js no longer gives. */
export async function checkDiagram(): Promise<string> {
  const text = await readFile(join(ROOT, DOCUMENT), 'utf8')
  if (withDiagram(text) !== text) throw new Error(`${DOCUMENT} is not what layers.js says. Run: npm run layers`)
  return 'drawn as layers.js says'
}

/**
 * Puts the drawing between the marks and leaves everything else as it is.
 * @throws Error when a mark is missing
 */
export function withDiagram(text: string): string {
  const from = text.indexOf(BEGIN)
  const to = text.indexOf(END)
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} lacks the marks ${BEGIN} and ${END}`)
  return [text.slice(0, from), BEGIN, '\n\n', diagram(), '\n', text.slice(to)].join('')
}

function diagram(): string {
  const pure = PURE.map(
    ({ folder, without, because }) => `- \`${folder}\` is free of ${without.join(' and ')}: ${because}.`,
  )
  return [
    'An arrow means "may import"; everything further down may be imported as well.',
    '',
    '```mermaid',
    'flowchart TD',
    ...column('server', 'apps/server', [['app.ts, cli.ts'], ...SERVER.toReversed().map((layer) => [layer])]),
    ...column(
      'web',
      'apps/web',
      WEB.toReversed().map((layer) => [layer]),
    ),
    ...column('packages', 'packages', PACKAGES.toReversed()),
    '  server --> packages',
    '  web --> packages',
    '```',
    '',
    ...pure,
    '',
  ].join('\n')
}

function column(id: string, title: string, rows: ReadonlyArray<readonly string[]>): string[] {
  const nodes = rows.map((row, at) => `    ${id}${at}["${row.join(' · ')}"]`)
  const arrows = rows.slice(1).map((_row, at) => `    ${id}${at} --> ${id}${at + 1}`)
  return [`  subgraph ${id}["${title}"]`, '    direction TB', ...nodes, ...arrows, '  end']
}

if (import.meta.main) {
  const path = join(ROOT, DOCUMENT)
  await writeFile(path, withDiagram(await readFile(path, 'utf8')))
}
