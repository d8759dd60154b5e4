import { routes } from '@godwit/contract/table'
import type { AdminStorageDetail } from '@godwit/contract'
import { CLEANING_DAYS } from '@godwit/contract/foundation/storage-types'
import { useState } from 'react'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { Ring } from '../../../ui/ring.tsx'
import { type Fact, Facts } from '../../console-kit/facts.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { useRight } from '../administration/index.ts'
import { CleaningDialog } from './cleaning.dialog.tsx'
import styles from './storages.module.css'
import { STORAGES } from './storages-source.ts'

/** When old files of a storage go to the bin, how the last run ended, and what may be done about it. */
export function CleaningFacts({ storage }: { readonly storage: AdminStorageDetail }) {
  const texts = useTexts()
  const canEdit = useRight('storages.edit')
  const [asked, setAsked] = useState<'change' | 'run'>()
  const close = (): void => setAsked(undefined)
  const { cleaning } = storage
  return (
    <>
      <Facts title={texts('storages.cleaning')} facts={cleaningFacts(storage, texts)} />
      {canEdit && (
        <div className={styles['buttons']}>
          <Button onClick={() => setAsked('change')}>{texts('storages.cleaning.change')}</Button>
          {cleaning !== null && (
            <Button disabled={cleaning.isBusy} onClick={() => setAsked('run')}>
              {texts('storages.cleaning.now')}
            </Button>
          )}
        </div>
      )}
      {asked === 'change' && <CleaningDialog storage={storage} onClose={close} />}
      {asked === 'run' && <CleanNowDialog storage={storage} onClose={close} />}
    </>
  )
}

function cleaningFacts({ cleaning }: AdminStorageDetail, texts: Texts): readonly Fact[] {
  const rule = { label: texts('storages.cleaning.rule'), value: ruleText(cleaning, texts) }
  if (cleaning === null) return [rule]
  const { isBusy, last } = cleaning
  const ended = last === null ? texts('storages.cleaning.last.none') : formatTime(last.at / 1000)
  const busy = (
    <span className={styles['busy']} role="status">
      <Ring />
      {texts('storages.cleaning.busy')}
    </span>
  )
  const when = { label: texts('storages.cleaning.last'), value: isBusy ? busy : ended }
  if (last === null) return [rule, when]
  const moved = { count: last.files, size: formatSize(last.bytes, texts.locale) }
  const skipped = texts('storages.cleaning.skipped.files', { count: last.skipped })
  return [
    rule,
    when,
    { label: texts('storages.cleaning.moved'), value: texts('storages.cleaning.moved.files', moved) },
    ...(last.skipped === 0 ? [] : [{ label: texts('storages.cleaning.skipped'), value: skipped }]),
  ]
}

function ruleText(cleaning: AdminStorageDetail['cleaning'], texts: Texts): string {
  const days = CLEANING_DAYS.find((each) => each === cleaning?.days)
  if (cleaning === null || days === undefined) return texts('storages.cleaning.rule.none')
  return texts(`storages.cleaning.rule.${cleaning.basis}`, { age: texts(`storages.cleaning.${days}`) })
}

interface CleanNowProps {
  readonly storage: AdminStorageDetail
  readonly onClose: () => void
}

function CleanNowDialog({ storage: { id, name }, onClose }: CleanNowProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(STORAGES)
  return (
    <FormDialog
      title={texts('storages.cleaning.now.title', { name })}
      text={texts('storages.cleaning.now.text')}
      submitLabel={texts('storages.cleaning.now')}
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminStorages.cleanNow, { params: { storageId: id } })
        void refresh()
        messages.notify('success', texts('storages.cleaning.now.done', { name }))
      }}
    />
  )
}
