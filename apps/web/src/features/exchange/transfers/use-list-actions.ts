import type { TransferView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { CircleAlert, Gauge, Pause, Play, RotateCcw, Trash2, Upload, X } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'
import type { Api } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { pickSources, type Sources, useUploads } from '../../content/uploads/index.ts'
import { isSameUpload, type ListAction, listActions, type Own } from './list-rules.ts'

export interface ListActionsDeps {
  /** Shows which files failed. */
  readonly onFiles: (transfer: TransferView) => void
  /** Asks how fast it may be. */
  readonly onLimit: (transfer: TransferView) => void
  /** Something was taken off the list. */
  readonly onChanged: () => void
}

const FACES: Readonly<Record<ListAction, { readonly label: PortalKey; readonly icon: LucideIcon }>> = {
  pause: { label: 'transfers.do.pause', icon: Pause },
  resume: { label: 'transfers.do.resume', icon: Play },
  limit: { label: 'transfers.do.limit', icon: Gauge },
  continue: { label: 'transfers.do.continue', icon: Upload },
  retry: { label: 'transfers.do.retry', icon: RotateCcw },
  files: { label: 'transfers.do.files', icon: CircleAlert },
  cancel: { label: 'transfers.do.cancel', icon: X },
  forget: { label: 'transfers.do.forget', icon: Trash2 },
}

/** What can be done with the rows of the list, and with all of it. */
export function useListActions({ onFiles, onLimit, onChanged }: ListActionsDeps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const uploads = useUploads()
  const { jobs } = useStore(uploads.view)
  const mine = new Map(jobs.map((job) => [job.transferId, job]))
  const ownOf = ({ transferId }: TransferView): Own => {
    const job = mine.get(transferId)
    return { isMine: job !== undefined, hasFailed: (job?.failed ?? 0) > 0 }
  }
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      messages.fail(error, texts)
    }
  }
  const clear = (rows: readonly TransferView[] | undefined): Promise<void> =>
    attempt(async () => {
      const transferIds = rows?.slice(0, CLEARED_AT_ONCE).map(({ transferId }) => transferId)
      await api.call(routes.transfers.clear, { body: transferIds === undefined ? {} : { transferIds } })
      onChanged()
    })
  const continueHere = async (transfer: TransferView): Promise<void> => {
    const { transferId, spaceId, groupId, folder, name, files } = transfer
    const sources = await pickSources(files > 1)
    if (!isSameUpload(transfer, chosenOf(sources))) {
      return messages.notify('error', texts('transfers.other-files', { name }))
    }
    // What has arrived of a folder is there already.
    uploads.add({ spaceId, groupId }, folder, sources, { transferId, standing: files > 1 ? 'skip' : undefined })
  }
  const run: Readonly<Record<ListAction, (transfer: TransferView) => void>> = {
    pause: (transfer) => void attempt(() => control(api, 'pause', transfer)),
    resume: (transfer) => void attempt(() => control(api, 'resume', transfer)),
    cancel: (transfer) => void attempt(() => control(api, 'cancel', transfer)),
    limit: onLimit,
    continue: (transfer) => void attempt(() => continueHere(transfer)),
    retry: ({ transferId }) => {
      const job = mine.get(transferId)
      if (job !== undefined) uploads.retry(job.id)
    },
    files: onFiles,
    forget: (transfer) => void clear([transfer]),
  }
  const names = Object.keys(FACES).filter((name): name is ListAction => name in FACES)
  const ofRow = names.map((name): Action<TransferView> => ({
    ...{ name: `transfer-${name}`, group: 'general', ...FACES[name] },
    when: (transfer) => listActions(transfer, ownOf(transfer)).includes(name),
    run: run[name],
  }))
  return { ofRow, clear }
}

const CLEARED_AT_ONCE = 1_000

/** The row follows by what the server pushes. */
async function control(api: Api, action: 'pause' | 'resume' | 'cancel', { transferId }: TransferView): Promise<void> {
  const input = { params: { transferId }, body: {} }
  if (action === 'pause') await api.call(routes.transfers.pause, input)
  else if (action === 'resume') await api.call(routes.transfers.resume, input)
  else await api.call(routes.transfers.cancel, input)
}

function chosenOf({ files }: Sources) {
  return files.map(({ file, relativePath }) => ({
    name: file.name,
    size: file.size,
    top: relativePath.includes('/') ? (relativePath.split('/', 1)[0] ?? '') : '',
  }))
}
