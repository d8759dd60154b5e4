import { routes } from '@godwit/contract/table'
import type { AdminStorage, AdminStorageDetail } from '@godwit/contract'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Ring } from '../../../ui/ring.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { failedStep, type ProbeOutcome, ProbeResult } from './probe-result.tsx'
import styles from './storages.module.css'
import { STORAGES, useStorage } from './storages-source.ts'

export interface StorageQuestion {
  readonly kind: 'test' | 'remove'
  readonly storage: AdminStorage
}

export interface StorageDialogProps {
  readonly question: StorageQuestion
  readonly onClose: () => void
}

/** Tests or removes one storage. */
export function StorageDialog({ question: { kind, storage }, onClose }: StorageDialogProps) {
  return kind === 'test' ? (
    <TestDialog storage={storage} onClose={onClose} />
  ) : (
    <RemoveDialog storage={storage} onClose={onClose} />
  )
}

interface OneStorageProps {
  readonly storage: AdminStorage
  readonly onClose: () => void
}

function TestDialog({ storage: { id, name }, onClose }: OneStorageProps) {
  const texts = useTexts()
  const { outcome, failure, run } = useSavedTest(id)
  const isBusy = outcome === undefined && failure === undefined
  return (
    <Dialog
      title={texts('storages.test.title', { name })}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.close')}</Button>
          <Button kind="solid" disabled={isBusy} onClick={run}>
            {texts('storages.test.again')}
          </Button>
        </>
      }
    >
      {isBusy && (
        <p className={styles['busy']} role="status">
          <Ring />
          {texts('storages.test.busy')}
        </p>
      )}
      <FailureNotice failure={failure} />
      {outcome !== undefined && <ProbeResult outcome={outcome} />}
    </Dialog>
  )
}

/** Tests a storage as it is saved, at once and then as often as it is asked to. */
function useSavedTest(storageId: number) {
  const { api } = useServices()
  const refresh = useRefresh(STORAGES)
  const [turn, setTurn] = useState(0)
  const [result, setResult] = useState<{ readonly outcome?: ProbeOutcome; readonly failure?: unknown }>({})
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const finish = (value: typeof result): void => {
      if (signal.aborted) return
      setResult(value)
      void refresh()
    }
    api.call(routes.adminStorages.test, { params: { storageId } }, { signal }).then(
      ({ steps }) => finish({ outcome: { steps } }),
      (failure: unknown) => finish({ failure, outcome: { failed: failedStep(failure) } }),
    )
    return () => leaving.abort()
  }, [api, refresh, storageId, turn])
  const run = (): void => {
    setResult({})
    setTurn((before) => before + 1)
  }
  return { ...result, run }
}

function RemoveDialog({ storage: { id, name }, onClose }: OneStorageProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(STORAGES)
  const { data } = useStorage(id)
  const use = data === undefined ? [] : usesOf(data, texts)
  return (
    <FormDialog
      title={texts('storages.remove.title', { name })}
      text={texts('storages.remove.text')}
      submitLabel={texts('storages.remove')}
      isDangerous
      isDone={data === undefined || use.length > 0}
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminStorages.remove, { body: { storageId: id } })
        void refresh()
        messages.notify('success', texts('storages.remove.done', { name }))
      }}
    >
      {use.length > 0 && (
        <Notice kind="warning">
          {texts('storages.remove.used')}
          <ul className={styles['names']}>
            {use.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Notice>
      )}
    </FormDialog>
  )
}

/** What keeps a storage from being removed. */
function usesOf({ spaces, defaultOf, places, keepers }: AdminStorageDetail, texts: Texts): readonly string[] {
  const defaults = spaces
    .filter(({ id }) => defaultOf.includes(id))
    .map((space) => texts('storages.remove.default', { space: nameOfSpace(space, texts) }))
  const names = new Intl.ListFormat(texts.locale).format(keepers.map(({ name }) => name))
  return [...defaults, ...(places === 0 ? [] : [texts('storages.remove.places', { count: places, names })])]
}
