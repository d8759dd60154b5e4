import { stemLength } from '../../../lib/formats.ts'
import { joinPath } from '../../../lib/paths.ts'
import { type CommandDeps, isSettled } from './file-commands.ts'
import { refreshFolder, type FolderView } from './folder-query.ts'

export interface Archiving {
  readonly kind: 'pack' | 'unpack'
  readonly names: readonly string[]
  /** A folder is among them; of a file alone the ending does not go into the name of the zip. */
  readonly hasFolder: boolean
}

/** Packs entries into a zip beside them, or unpacks one into a folder beside it, on the server. */
export async function archive(
  deps: CommandDeps,
  { folder }: FolderView,
  { kind, names, hasFolder }: Archiving,
): Promise<void> {
  const { operate, place, client, messages, texts, follow } = deps
  const [first = ''] = names
  const only = names.length > 1 ? undefined : hasFolder ? first : first.slice(0, stemLength(first))
  const paths = names.map((name) => joinPath(folder, name))
  try {
    const { job } =
      kind === 'pack'
        ? await operate('pack', { ...place, paths, target: folder, name: `${only ?? texts('pack.default')}.zip` })
        : await operate('unpack', { ...place, path: joinPath(folder, first), target: folder })
    if (isSettled(deps, await follow(job))) {
      messages.notify('success', texts(`${kind}.done`, { count: names.length, name: first }))
    }
  } catch (error) {
    messages.fail(error, texts)
  }
  await refreshFolder(client, place, folder)
}
