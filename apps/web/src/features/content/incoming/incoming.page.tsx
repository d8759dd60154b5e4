import { useQuery, useQueryClient } from '@tanstack/react-query'
import { INCOMING } from '@godwit/contract/content/incoming'
import { useNavigate } from '@tanstack/react-router'
import { FolderUp, Inbox, X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { arrivals, fileIcon, TargetDialog, useFilesServices } from '../files/index.ts'
import { addressOf } from '../search/index.ts'
import { discard, type WaitingFile, waitingFiles } from './waiting-files.ts'
import styles from './incoming.module.css'

const KEY = ['incoming']

/** Files that another app of the device shared wait here until the person says where they go. */
export function IncomingPage() {
  const texts = useTexts()
  const { data: files } = useQuery({ queryKey: KEY, queryFn: waitingFiles, networkMode: 'always' })
  const [open, show] = useState<'target' | 'discard'>()
  const remove = useDiscard()
  const navigate = useNavigate()
  const { place } = useFilesServices()
  const hasFailed = new URLSearchParams(location.search).has(INCOMING.failed)
  const names = files?.map(({ file }) => file.name) ?? []
  const choose = async (folder: string, groupId: number): Promise<void> => {
    if (files === undefined) return
    arrivals.set({ place: { ...place, groupId }, folder, files: files.map(({ file }) => file) })
    await remove(files)
    void navigate(addressOf({ groupId, path: folder, file_type: 'Folder' }, 'item'))
  }
  return (
    <section className={styles['page']} aria-labelledby="incoming-title">
      <h1 id="incoming-title">{texts('incoming.title')}</h1>
      <div className={styles['card']} data-testid="incoming">
        {hasFailed && (
          <p className={styles['failed']} role="alert">
            {texts('incoming.failed')}
          </p>
        )}
        {files?.length === 0 && (
          <StatePanel
            icon={<Inbox size={28} />}
            title={texts('incoming.none.title')}
            text={texts('incoming.none.text')}
          />
        )}
        {files !== undefined && files.length > 0 && (
          <>
            <p className={styles['text']}>{texts('incoming.text', { count: files.length })}</p>
            <Files files={files} onRemove={(file) => void remove([file])} />
            <div className={styles['foot']}>
              <Button onClick={() => show('discard')}>{texts('incoming.discard')}</Button>
              <Button kind="solid" onClick={() => show('target')}>
                <FolderUp size={18} aria-hidden="true" />
                {texts('incoming.choose')}
              </Button>
            </div>
          </>
        )}
      </div>
      {open === 'target' && (
        <TargetDialog
          kind="incoming"
          names={names}
          hasFolder={false}
          from="/"
          onChoose={(folder, groupId) => void choose(folder, groupId)}
          onClose={() => show(undefined)}
        />
      )}
      {open === 'discard' && (
        <ConfirmAction
          title={texts('incoming.discard.title', { count: names.length, name: names[0] ?? '' })}
          text={texts('incoming.discard.text')}
          submitLabel={texts('incoming.discard')}
          onConfirm={() => void remove(files ?? [])}
          onClose={() => show(undefined)}
        />
      )}
    </section>
  )
}

function useDiscard(): (files: readonly WaitingFile[]) => Promise<void> {
  const client = useQueryClient()
  const texts = useTexts()
  const { messages } = useFilesServices()
  return useCallback(
    async (files) => {
      try {
        await discard(files)
      } catch (failure) {
        messages.fail(failure, texts)
      }
      await client.invalidateQueries({ queryKey: KEY })
    },
    [client, messages, texts],
  )
}

interface FilesProps {
  readonly files: readonly WaitingFile[]
  readonly onRemove: (file: WaitingFile) => void
}

function Files({ files, onRemove }: FilesProps) {
  const texts = useTexts()
  return (
    <ul className={styles['files']}>
      {files.map((waiting) => {
        const { name, size } = waiting.file
        return (
          <li key={waiting.key} className={fileIcon(name, false)}>
            <span className={styles['name']} translate="no">
              {name}
            </span>
            <span className={styles['size']}>{formatSize(size, texts.locale)}</span>
            <IconButton
              label={texts('incoming.discard.one', { name })}
              icon={<X size={18} aria-hidden="true" />}
              onClick={() => onRemove(waiting)}
            />
          </li>
        )
      })}
    </ul>
  )
}
