import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Rolldown } from 'vite'
import { CONSOLE_PAGE, ENTRY_PAGES, PORTAL_PAGE, PUBLIC_PAGE } from '../src/entries/entry-pages.ts'

/** What a browser fetches as a whole: modules that it asks for by name, from `apps/web`. */
const FIRST_VIEWS: Readonly<Record<string, readonly string[]>> = {
  entrance: ['src/entries/portal/main.tsx'],
  portal: PORTAL_PAGE.inside.parts,
  share: ['src/entries/public/main.tsx', ...PUBLIC_PAGE.first.parts],
  console: ['src/entries/console/main.tsx', ...CONSOLE_PAGE.inside.parts],
  dashboard: ['src/features/oversight/dashboard/dashboard-pages.ts'],
}
const WEB = resolve(import.meta.dirname, '..')
const ROOTS = new Set(Object.values(FIRST_VIEWS).flatMap((roots) => roots.map(idOf)))
/** Characters before they are minified. Less than this costs more to ask for than to carry along. */
const SMALL = 8000

const LATER = 1
const AT_ONCE = 2
/** How first views use a module; not at all where they are missing. */
type Use = Readonly<Record<string, typeof LATER | typeof AT_ONCE>>

/** Modules that are used in the same way. */
interface Group {
  readonly use: Use
  readonly ids: Set<string>
}

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

/**
 * A chunk for each way in which first views share code. Left alone, the bundler makes one for each set of parts of the page, so the
 * first visit of the portal asked for 55 files, most of them smaller than what asking costs on a slow line.
 * @returns names of chunks by the ids of their modules; the bundler splits the others by itself
 */
export async function firstViewChunks(): Promise<ReadonlyMap<string, string>> {
  const chunks = await chunksAsTheyCome()
  const uses = usesOf(chunks)
  const groups = withoutSmall(groupsOf(uses), uses, chunks)
  return new Map(groups.flatMap(({ use, ids }) => [...ids].map((id) => [id, nameOf(use)] as const)))
}

/** As the bundler makes them by itself: only it knows which modules behind a door are used by which part of the page. */
async function chunksAsTheyCome(): Promise<Chunks> {
  const input = Object.fromEntries(ENTRY_PAGES.map(({ html }) => [html.replace('.html', ''), idOf(html)]))
  const built = await build({
    ...{ configFile: false, root: WEB, logLevel: 'error', plugins: [react()] },
    build: { target: 'es2023', write: false, minify: false, rolldownOptions: { input } },
  })
  const { output } = built as Rolldown.RolldownOutput
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
}

/** By id of the module. */
function usesOf(chunks: Chunks): Map<string, Use> {
  const uses = new Map<string, Use>()
  for (const [view, roots] of Object.entries(FIRST_VIEWS)) {
    const first = chunksWith(new Set(roots.map(idOf)), chunks)
    const atOnce = modulesFrom(first, ({ imports }) => imports, chunks)
    const ever = modulesFrom(first, ({ imports, dynamicImports }) => [...imports, ...dynamicImports], chunks)
    for (const id of ever) uses.set(id, { ...uses.get(id), [view]: atOnce.has(id) ? AT_ONCE : LATER })
  }
  return uses
}

/** What no first view needs at once is left out; so are the roots, which keep names of their own. */
function groupsOf(uses: ReadonlyMap<string, Use>): Group[] {
  const groups = new Map<string, Group>()
  for (const [id, use] of uses) {
    if (ROOTS.has(id) || !Object.values(use).includes(AT_ONCE)) continue
    const group = groups.get(nameOf(use)) ?? { use, ids: new Set() }
    group.ids.add(id)
    groups.set(nameOf(use), group)
  }
  return [...groups.values()]
}

/** Joins small groups to others that are fetched whenever the small one is, where nobody has to fetch yet another for it. */
function withoutSmall(groups: readonly Group[], uses: Map<string, Use>, chunks: Chunks): readonly Group[] {
  const kept = new Set(groups.toSorted((a, b) => weightOf(a.use) - weightOf(b.use)))
  for (const group of kept) {
    const { use, ids } = group
    const own = chunksWith(ids, chunks)
    if (sizeOf(own, ids) >= SMALL) continue
    const needed = [...modulesFrom(own, ({ imports }) => imports, chunks).difference(ids)]
    const [wider] = [...kept]
      .filter((other) => other !== group && covers(other.use, use))
      // The sign-in carries nothing along.
      .filter((other) => other.use['entrance'] === use['entrance'])
      .filter((other) => needed.every((id) => covers(uses.get(id) ?? {}, other.use)))
      .toSorted((a, b) => weightOf(a.use) - weightOf(b.use))
    if (wider === undefined) continue
    for (const id of ids) {
      wider.ids.add(id)
      uses.set(id, wider.use)
    }
    kept.delete(group)
  }
  return [...kept]
}

function chunksWith(ids: ReadonlySet<string>, chunks: Chunks): readonly Rolldown.OutputChunk[] {
  return [...chunks.values()].filter(({ moduleIds }) => moduleIds.some((id) => ids.has(id)))
}

/** All modules that are reached from these chunks; none of another first view. */
function modulesFrom(
  first: readonly Rolldown.OutputChunk[],
  next: (chunk: Rolldown.OutputChunk) => readonly string[],
  chunks: Chunks,
): ReadonlySet<string> {
  const reached = new Set(first)
  for (const chunk of reached)
    for (const name of next(chunk)) {
      const found = chunks.get(name)
      if (found !== undefined && !found.moduleIds.some((id) => ROOTS.has(id))) reached.add(found)
    }
  return new Set([...reached].flatMap(({ moduleIds }) => moduleIds))
}

function sizeOf(chunks: readonly Rolldown.OutputChunk[], ids: ReadonlySet<string>): number {
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules))
  return modules.reduce((sum, [id, { renderedLength }]) => sum + (ids.has(id) ? renderedLength : 0), 0)
}

function weightOf(use: Use): number {
  return Object.values(use).reduce<number>((sum, when) => sum + when, 0)
}

function covers(whole: Use, part: Use): boolean {
  return Object.entries(part).every(([view, when]) => (whole[view] ?? 0) >= when)
}

function nameOf(use: Use): string {
  const marks = { [AT_ONCE]: '', [LATER]: '-later' }
  const used = Object.keys(FIRST_VIEWS).flatMap((view) => (use[view] === undefined ? [] : view + marks[use[view]]))
  return used.join('-')
}

function idOf(module: string): string {
  return resolve(WEB, module)
}
