import type { ActorView } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { formatExactBytes, formatSize, formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { actorText } from './actor-text.ts'
import styles from './dialogs.module.css'
import { useFilesServices } from './files-services.tsx'

/** Size, counts and times of the selection; folders are counted through by the server. */
export function AttributesDialog({
  paths,
  onClose,
}: {
  readonly paths: readonly string[]
  readonly onClose: () => void
}) {
  const texts = useTexts()
  const { operate, place } = useFilesServices()
  const { data, error } = useQuery({
    queryKey: ['attributes', paths],
    queryFn: ({ signal }) => operate('attributes', { ...place, paths: [...paths] }, signal),
    gcTime: 0,
  })
  return (
    <Dialog title={texts('attributes.title')} closeLabel={texts('common.close')} onClose={onClose}>
      <FailureNotice failure={error} />
      {data === undefined && error === null && <p aria-busy="true">{texts('app.loading')}</p>}
      {data !== undefined && <Facts items={data.items} />}
    </Dialog>
  )
}

interface Item {
  readonly path: string
  readonly name: string
  readonly file_type: string
  readonly size: number
  readonly file_count: number
  readonly folder_count: number
  readonly time: number
  readonly create_time: number
  readonly hash?: string | undefined
  readonly uploaded?: { readonly by: ActorView; readonly time: number } | undefined
}

function Facts({ items }: { readonly items: readonly Item[] }) {
  const texts = useTexts()
  const [first] = items
  if (first === undefined) return null
  const sum = (of: (item: Item) => number): number => items.reduce((total, item) => total + of(item), 0)
  const size = sum((item) => item.size)
  const isOne = items.length === 1
  const isFile = isOne && first.file_type === 'File'
  const exact = { size: formatSize(size, texts.locale, 2), bytes: formatExactBytes(size, texts.locale) }
  const files = sum((item) => item.file_count)
  const folders = sum((item) => item.folder_count)
  return (
    <dl className={styles['facts']}>
      <dt>{texts('attributes.name')}</dt>
      <dd translate="no">{isOne ? first.name : texts('files.selected', { count: items.length })}</dd>
      {isOne && (
        <>
          <dt>{texts('attributes.kind')}</dt>
          <dd>{texts(isFile ? 'files.file' : 'files.folder')}</dd>
          <dt>{texts('attributes.path')}</dt>
          <dd translate="no">{first.path}</dd>
        </>
      )}
      <dt>{texts('attributes.size')}</dt>
      <dd>{texts('attributes.size-value', exact)}</dd>
      {!isFile && (
        <>
          <dt>{texts('attributes.contains')}</dt>
          <dd>{texts('attributes.contains-value', { files, folders })}</dd>
        </>
      )}
      {isOne && (
        <>
          <dt>{texts('attributes.changed')}</dt>
          <dd title={formatTimeExactly(first.time, texts.locale)}>{formatTime(first.time)}</dd>
          <dt>{texts('attributes.created')}</dt>
          <dd title={formatTimeExactly(first.create_time, texts.locale)}>{formatTime(first.create_time)}</dd>
          {first.uploaded !== undefined && (
            <>
              <dt>{texts('attributes.uploaded')}</dt>
              <dd title={formatTimeExactly(first.uploaded.time, texts.locale)}>
                {`${actorText(first.uploaded.by, texts)}, ${formatTime(first.uploaded.time)}`}
              </dd>
            </>
          )}
          {first.hash !== undefined && (
            <>
              <dt>{texts('attributes.hash')}</dt>
              <dd translate="no">{first.hash}</dd>
            </>
          )}
        </>
      )}
    </dl>
  )
}
