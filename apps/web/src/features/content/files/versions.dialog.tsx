import type { OperationReply, VersionItem } from '@godwit/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatSize, formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import { parentOf } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { type CommandDeps, saveFrom } from './file-commands.ts'
import { refreshFolder } from './folder-query.ts'
import styles from './versions.module.css'

export interface VersionsDialogProps {
  readonly path: string
  /** Of what the file holds now. */
  readonly size: number
  readonly deps: CommandDeps
  readonly onClose: () => void
}

/** What a file held before: compared by size, fetched, taken up again, deleted. */
export function VersionsDialog(props: VersionsDialogProps) {
  const texts = useTexts()
  const name = props.path.slice(props.path.lastIndexOf('/') + 1)
  return (
    <Dialog title={texts('versions.title', { name })} closeLabel={texts('common.close')} onClose={props.onClose}>
      <Versions {...props} />
    </Dialog>
  )
}

/** The list itself, without a dialog around it. */
export function Versions({ path, size, deps }: Omit<VersionsDialogProps, 'onClose'>) {
  const texts = useTexts()
  const { operate, place } = deps
  const { data, error } = useQuery({
    queryKey: versionsKey(path),
    queryFn: ({ signal }) => operate('versions', { ...place, path }, signal),
    gcTime: 0,
  })
  const changes = useChanges(path, deps)
  if (data === undefined) {
    return error === null ? <p aria-busy="true">{texts('app.loading')}</p> : <FailureNotice failure={error} />
  }
  return (
    <>
      <FailureNotice failure={changes.failure} />
      {data.items.length === 0 && <p>{texts('versions.none')}</p>}
      <ul className={styles['versions']} aria-label={texts('versions.list')} aria-busy={changes.isBusy}>
        {data.items.map((item) => (
          <Version key={item.versionId} item={item} size={size} data={data} changes={changes} />
        ))}
      </ul>
      <p className={styles['limit']}>{texts('versions.limit', { count: data.limit })}</p>
    </>
  )
}

function versionsKey(path: string): readonly unknown[] {
  return ['versions', path]
}

/** What is done with a version; the first failure stays shown until the next attempt. */
function useChanges(path: string, deps: CommandDeps) {
  const { operate, place, messages, texts } = deps
  const client = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>, done?: string): Promise<void> => {
    setFailure(undefined)
    setBusy(true)
    try {
      await work()
      if (done !== undefined) messages.notify('success', done)
    } catch (thrown) {
      setFailure(thrown)
    }
    setBusy(false)
    void client.invalidateQueries({ queryKey: versionsKey(path) })
  }
  return {
    failure,
    isBusy,
    download: (versionId: string) =>
      attempt(async () => saveFrom((await operate('download', { ...place, paths: [path], versionId })).url)),
    restore: (versionId: string) =>
      attempt(async () => {
        await operate('restoreVersion', { ...place, path, versionId })
        await refreshFolder(client, place, parentOf(path))
      }, texts('versions.restored')),
    remove: (versionId: string) =>
      attempt(() => operate('removeVersions', { ...place, path, versionIds: [versionId] }), texts('versions.removed')),
  }
}

interface VersionProps {
  readonly item: VersionItem
  readonly size: number
  readonly data: OperationReply<'versions'>
  readonly changes: ReturnType<typeof useChanges>
}

function Version({ item, size, data: { mayRestore, mayRemove }, changes }: VersionProps) {
  const texts = useTexts()
  const { locale } = texts
  const [isAsking, setAsking] = useState(false)
  const { versionId, keptAt, by } = item
  const time = formatTime(item.time)
  return (
    <li>
      <div className={styles['facts']}>
        <strong title={formatTimeExactly(item.time, locale)}>{time}</strong>
        <span>
          {formatSize(item.size, locale)} <Difference bytes={size - item.size} />
        </span>
        <small>
          {texts(by === '' ? 'versions.replaced' : 'versions.replaced-by', { time: formatTime(keptAt), by })}
        </small>
      </div>
      {isAsking ? (
        <>
          <Button onClick={() => setAsking(false)}>{texts('common.cancel')}</Button>
          <Button kind="dangerSolid" autoFocus onClick={() => void changes.remove(versionId)}>
            {texts('versions.remove-sure')}
          </Button>
        </>
      ) : (
        <>
          <Button
            kind="quiet"
            aria-label={texts('versions.download', { time })}
            onClick={() => void changes.download(versionId)}
          >
            <Download size={18} aria-hidden="true" />
          </Button>
          {mayRestore && (
            <Button disabled={changes.isBusy} onClick={() => void changes.restore(versionId)}>
              <RotateCcw size={18} aria-hidden="true" />
              {texts('versions.restore')}
            </Button>
          )}
          {mayRemove && (
            <Button kind="quiet" aria-label={texts('versions.remove', { time })} onClick={() => setAsking(true)}>
              <Trash2 size={18} aria-hidden="true" />
            </Button>
          )}
        </>
      )}
    </li>
  )
}

/** How much the file has grown or shrunk since. */
function Difference({ bytes }: { readonly bytes: number }) {
  const texts = useTexts()
  if (bytes === 0) return texts('versions.same-size')
  const size = formatSize(Math.abs(bytes), texts.locale)
  return texts(bytes > 0 ? 'versions.smaller' : 'versions.larger', { size })
}
