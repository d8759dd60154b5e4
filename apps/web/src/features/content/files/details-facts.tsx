import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatExactBytes, formatSize, formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { PartBoundary } from '../../../ui/error-boundary.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { actorText } from './actor-text.ts'
import type { Subject } from './details-subject.ts'
import styles from './details.module.css'
import type { CommandDeps } from './file-commands.ts'

type One = Extract<Subject, { readonly kind: 'one' }>

export interface DetailsFactsProps {
  readonly subject: One
  readonly deps: CommandDeps
  readonly onVersions: () => void
}

/** What is known of an entry. What takes the server a look at everything in a folder can be stopped. */
export function DetailsFacts({ subject, deps, onVersions }: DetailsFactsProps) {
  const texts = useTexts()
  const { path, isFolder, time } = subject
  const { LinksOn, place } = deps
  const facts = useAttributes(subject, deps)
  const { item } = facts
  const changed = time ?? item?.time
  return (
    <>
      <FailureNotice failure={facts.error} />
      <dl className={styles['facts']} aria-busy={facts.isBusy}>
        <Fact label={texts('attributes.kind')}>{texts(isFolder ? 'files.folder' : 'files.file')}</Fact>
        <Fact label={texts('attributes.size')}>
          {isFolder ? <FolderSize facts={facts} /> : <Bytes bytes={subject.size} />}
        </Fact>
        {isFolder && item !== undefined && (
          <Fact label={texts('attributes.contains')}>
            {texts('attributes.contains-value', { files: item.file_count, folders: item.folder_count })}
          </Fact>
        )}
        {changed !== undefined && (
          <Fact label={texts('attributes.changed')}>
            <Time seconds={changed} />
          </Fact>
        )}
        {item?.uploaded !== undefined && (
          <Fact label={texts('attributes.uploaded')}>
            {actorText(item.uploaded.by, texts)}
            <br />
            <Time seconds={item.uploaded.time} />
          </Fact>
        )}
        <Fact label={texts('attributes.path')}>
          <span translate="no">{path}</span>
        </Fact>
        {item?.hash !== undefined && (
          <Fact label={texts('attributes.hash')}>
            <span className={styles['hash']} translate="no">
              {item.hash}
            </span>
          </Fact>
        )}
      </dl>
      {item !== undefined && <Permissions names={item.permissions} />}
      {!isFolder && item?.permissions.includes('download') === true && (
        <Versions subject={subject} deps={deps} onShow={onVersions} />
      )}
      <PartBoundary>
        <LinksOn place={place} path={path} />
      </PartBoundary>
    </>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Time({ seconds }: { readonly seconds: number }) {
  const { locale } = useTexts()
  return <span title={formatTimeExactly(seconds, locale)}>{formatTime(seconds)}</span>
}

function Bytes({ bytes }: { readonly bytes: number }) {
  const texts = useTexts()
  const { locale } = texts
  return texts('attributes.size-value', { size: formatSize(bytes, locale, 2), bytes: formatExactBytes(bytes, locale) })
}

/** Who brought a file is known a moment after it came; a folder is not counted again and again. */
const LOOK_AGAIN_MS = 5_000

function useAttributes({ path, state, isFolder }: One, { operate, place }: CommandDeps) {
  const client = useQueryClient()
  const queryKey = ['attributes', place, path, state]
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => operate('attributes', { ...place, paths: [path] }, signal),
    refetchInterval: isFolder ? false : LOOK_AGAIN_MS,
    gcTime: 0,
  })
  return {
    item: data?.items[0],
    error,
    isBusy: isFetching,
    stop: () => void client.cancelQueries({ queryKey }),
    begin: () => void refetch(),
  }
}

function FolderSize({ facts: { item, isBusy, stop, begin } }: { readonly facts: ReturnType<typeof useAttributes> }) {
  const texts = useTexts()
  if (item !== undefined) return <Bytes bytes={item.size} />
  return (
    <span className={styles['counting']} role="status">
      {isBusy ? texts('details.counting') : texts('details.not-counted')}
      <Button kind="quiet" onClick={isBusy ? stop : begin}>
        {texts(isBusy ? 'details.stop' : 'details.count')}
      </Button>
    </span>
  )
}

function Permissions({ names }: { readonly names: readonly string[] }) {
  const texts = useTexts()
  // They are named where permissions are given as well.
  const hasTexts = useTextBundle('identity')
  if (!hasTexts) return null
  return (
    <section className={styles['section']}>
      <h3>{texts('details.permissions')}</h3>
      <p className={styles['tags']}>
        {names.map((name) => (
          <Tag key={name}>{texts(`permission.${name}` as 'permission.list')}</Tag>
        ))}
      </p>
    </section>
  )
}

function Versions({
  subject: { path, state },
  deps: { operate, place },
  onShow,
}: Pick<DetailsFactsProps, 'subject' | 'deps'> & { readonly onShow: () => void }) {
  const texts = useTexts()
  const { data } = useQuery({
    queryKey: ['versions', path, state],
    queryFn: ({ signal }) => operate('versions', { ...place, path }, signal),
    gcTime: 0,
  })
  if (data === undefined) return null
  return (
    <section className={styles['section']}>
      <h3>{texts('versions.list')}</h3>
      <p className={styles['line']}>
        {texts('details.versions', { count: data.items.length })}
        {data.items.length > 0 && <Button onClick={onShow}>{texts('details.versions.show')}</Button>}
      </p>
    </section>
  )
}
