import { routes } from '@godwit/contract/table'
import type { AdminCleaningPreview, AdminCleaningRule, AdminStorageDetail } from '@godwit/contract'
import { CLEANING_BASES, CLEANING_DAYS } from '@godwit/contract/foundation/storage-types'
import { useState } from 'react'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormSchema, FormDialog, ON } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import styles from './storages.module.css'
import { STORAGES } from './storages-source.ts'

type CleaningField = 'isOn' | 'basis' | 'days'
type CleaningValues = Readonly<Record<CleaningField, string>>

export interface CleaningDialogProps {
  readonly storage: AdminStorageDetail
  readonly onClose: () => void
}

/** Says when old files of a storage go to the recycle bin, and shows beforehand what would. */
export function CleaningDialog({ storage: { id, name, cleaning }, onClose }: CleaningDialogProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(STORAGES)
  const [shown, setShown] = useState<{ readonly of: CleaningValues; readonly preview: AdminCleaningPreview }>()
  const params = { storageId: id }
  return (
    <FormDialog
      title={texts('storages.cleaning.title', { name })}
      text={texts('storages.cleaning.help')}
      submitLabel={texts('common.save')}
      schema={cleaningSchema(texts)}
      initial={{
        isOn: cleaning === null ? '' : ON,
        basis: cleaning?.basis ?? 'modified',
        days: String(cleaning?.days ?? CLEANING_DAYS[2]),
      }}
      other={{
        label: texts('storages.cleaning.preview'),
        busyLabel: texts('storages.cleaning.preview.busy'),
        isHidden: ({ isOn }) => isOn !== ON,
        run: async (values) => {
          setShown(undefined)
          const preview = await api.call(routes.adminStorages.previewCleaning, { params, body: ruleOf(values) })
          setShown({ of: values, preview })
        },
      }}
      onClose={onClose}
      onSend={async (values) => {
        const rule = values.isOn === ON ? ruleOf(values) : null
        await api.call(routes.adminStorages.setCleaning, { params, body: { rule } })
        void refresh()
        messages.notify('success', texts(rule === null ? 'storages.cleaning.off.done' : 'storages.cleaning.on.done'))
      }}
    >
      {({ values }) => shown !== undefined && isSame(shown.of, values) && <Preview preview={shown.preview} />}
    </FormDialog>
  )
}

function cleaningSchema(texts: Texts): FormSchema<CleaningField> {
  const isHidden = ({ isOn }: CleaningValues): boolean => isOn !== ON
  return {
    isOn: { kind: 'switch', label: texts('storages.cleaning.switch') },
    basis: {
      kind: 'select',
      label: texts('storages.cleaning.basis'),
      hint: ({ basis }) =>
        texts(basis === 'access' ? 'storages.cleaning.access.hint' : 'storages.cleaning.modified.hint'),
      isHidden,
      choices: CLEANING_BASES.map((value) => ({ value, label: texts(`storages.cleaning.${value}`) })),
    },
    days: {
      kind: 'select',
      label: texts('storages.cleaning.days'),
      isHidden,
      choices: CLEANING_DAYS.map((days) => ({ value: String(days), label: texts(`storages.cleaning.${days}`) })),
    },
  }
}

function ruleOf({ basis, days }: CleaningValues): AdminCleaningRule {
  return {
    basis: CLEANING_BASES.find((each) => each === basis) ?? 'modified',
    days: CLEANING_DAYS.find((each) => String(each) === days) ?? 365,
  }
}

function isSame(a: CleaningValues, b: CleaningValues): boolean {
  return a.isOn === b.isOn && a.basis === b.basis && a.days === b.days
}

/** What would go, so that nobody is surprised. */
function Preview({ preview: { files, bytes, first, isComplete, from } }: { readonly preview: AdminCleaningPreview }) {
  const texts = useTexts()
  const count = { count: files, size: formatSize(bytes, texts.locale) }
  return (
    <section className={styles['probe']} role="status">
      <h3>{texts(isComplete ? 'storages.cleaning.due' : 'storages.cleaning.due.more', count)}</h3>
      {from > 0 && files > 0 && (
        <Notice kind="info">{texts('storages.cleaning.from', { date: formatTime(from / 1000) })}</Notice>
      )}
      {first.length > 0 && (
        <ol>
          {first.map(({ keeper, path, size, modifiedAt }) => (
            <li key={`${keeper} ${path}`}>
              <span className={styles['place']} translate="no">
                {keeper}: {path}
              </span>
              <span className={styles['outcome']}>
                {formatSize(size, texts.locale)} · {formatTime(modifiedAt / 1000).slice(0, 10)}
              </span>
            </li>
          ))}
        </ol>
      )}
      {first.length > 0 && files > first.length && (
        <p className={styles['more']}>{texts('storages.cleaning.others', { count: files - first.length })}</p>
      )}
      {first.length === 0 && files > 0 && <p className={styles['more']}>{texts('storages.cleaning.unnamed')}</p>}
    </section>
  )
}
