import { suggestsClient } from '@godwit/contract/exchange/transfer-ways'
import { type CommandDeps, downloadPaths } from './file-commands.ts'
import type { TransferWays } from './use-transfer-ways.ts'

/** Folders that take longer than this to count hold many files. */
const COUNT_MS = 1_500

export interface WantedDownload {
  readonly paths: readonly string[]
  readonly hasFolder: boolean
  readonly ways: TransferWays
  /** The account's `clientPromptFiles`. */
  readonly promptFiles: number
}

/** Downloads by the browser; of many files the person is asked first whether the client shall take them. */
export async function download(deps: CommandDeps, wanted: WantedDownload): Promise<void> {
  const { place, handOver } = deps
  const { paths, ways, promptFiles } = wanted
  const byBrowser = (): void => void downloadPaths(deps, paths)
  if (promptFiles === 0 || !ways.download.includes('client')) return byBrowser()
  const files = await countFiles(deps, wanted)
  if (suggestsClient(promptFiles, files)) handOver({ kind: 'suggest', place, paths, files, byBrowser })
  else byBrowser()
}

/** @returns undefined when the server is still counting; 0 when it could not */
async function countFiles(deps: CommandDeps, { paths, hasFolder }: WantedDownload): Promise<number | undefined> {
  if (!hasFolder) return paths.length
  try {
    const { items } = await deps.operate(
      'attributes',
      { ...deps.place, paths: [...paths] },
      AbortSignal.timeout(COUNT_MS),
    )
    return items.reduce((sum, item) => sum + (item.file_type === 'File' ? 1 : item.file_count), 0)
  } catch (error) {
    return error instanceof DOMException && error.name === 'TimeoutError' ? undefined : 0
  }
}
