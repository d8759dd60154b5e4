import type { AdminStorage, AdminStorageDetail } from '@godwit/contract'
import { useNavigate } from '@tanstack/react-router'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Fact, Facts } from '../../console-kit/facts.tsx'
import { ObjectDrawer } from '../../console-kit/object-drawer.tsx'
import { useRight } from '../administration/index.ts'
import { CleaningFacts } from './cleaning-facts.tsx'
import { StorageState } from './storage-state.tsx'
import styles from './storages.module.css'
import { useStorage } from './storages-source.ts'
import { kindText, reasonText } from './storage-texts.ts'

export interface StorageDrawerProps {
  readonly id: number
  readonly onTest: (storage: AdminStorage) => void
  readonly onClose: () => void
}

/** One storage beside the list; its secret is not part of it. */
export function StorageDrawer({ id, onTest, onClose }: StorageDrawerProps) {
  const texts = useTexts()
  const navigate = useNavigate()
  const query = useStorage(id)
  const [canTest, canEdit] = [useRight('storages.test'), useRight('storages.edit')]
  return (
    <ObjectDrawer
      title={query.data?.name ?? texts('storages.one')}
      query={query}
      onClose={onClose}
      renderFoot={(storage) => (
        <>
          {canTest && <Button onClick={() => onTest(storage)}>{texts('storages.test')}</Button>}
          {canEdit && (
            <Button kind="solid" onClick={() => void navigate({ to: `/admin/storages/${storage.id}` })}>
              {texts('storages.edit')}
            </Button>
          )}
        </>
      )}
    >
      {(storage) => (
        <>
          <Facts title={texts('storages.facts.general')} facts={generalFacts(storage, texts)} />
          <Facts title={texts('storages.facts.settings')} facts={settingFacts(storage, texts)} />
          <Facts title={texts('storages.facts.use')} facts={usageFacts(storage, texts)} />
          <CleaningFacts storage={storage} />
        </>
      )}
    </ObjectDrawer>
  )
}

function generalFacts(storage: AdminStorageDetail, texts: Texts): readonly Fact[] {
  const { checkedAt, room, createdAt } = storage
  const { locale } = texts
  return [
    { label: texts('storages.state'), value: <StorageState {...storage} /> },
    ...(storage.error === '' ? [] : [{ label: texts('storages.reason'), value: reasonText(texts, storage) }]),
    { label: texts('storages.kind'), value: kindText(texts, storage.kind) },
    {
      label: texts('storages.checked'),
      value: checkedAt === null ? texts('storages.checked.never') : formatTime(checkedAt / 1000),
    },
    ...(room === null
      ? []
      : [
          {
            label: texts('storages.room'),
            value: texts('storages.room.of', {
              free: formatSize(room.freeBytes, locale),
              total: formatSize(room.totalBytes, locale),
            }),
          },
        ]),
    { label: texts('storages.created'), value: formatTime(createdAt / 1000) },
  ]
}

function settingFacts({ kind, place, settings, hasSecret }: AdminStorageDetail, texts: Texts): readonly Fact[] {
  const where = { label: texts('storages.place'), value: exact(place) }
  if (kind === 'local') return [where]
  return [
    where,
    { label: texts('storages.region'), value: exact(settings.region ?? '') },
    { label: texts('storages.bucket'), value: exact(settings.bucket ?? '') },
    { label: texts('storages.prefix'), value: exact(settings.prefix ?? '') },
    { label: texts('storages.access-key'), value: exact(settings.accessKeyId ?? '') },
    { label: texts('storages.secret'), value: texts(hasSecret ? 'storages.secret.set' : 'storages.secret.none') },
    {
      label: texts('storages.slice'),
      value: settings.sliceMb === undefined ? texts('storages.slice.automatic') : `${settings.sliceMb} MiB`,
    },
  ]
}

function usageFacts({ spaces, places, keepers, defaultOf }: AdminStorageDetail, texts: Texts): readonly Fact[] {
  const list = new Intl.ListFormat(texts.locale)
  const names = spaces.map(({ id, name }) => {
    const space = nameOfSpace({ id, name }, texts)
    return defaultOf.includes(id) ? texts('storages.spaces.default', { space }) : space
  })
  return [
    { label: texts('storages.spaces'), value: list.format(names) },
    { label: texts('storages.places'), value: texts('storages.places.count', { count: places }) },
    ...(keepers.length === 0
      ? []
      : [{ label: texts('storages.keepers'), value: exact(list.format(keepers.map(({ name }) => name))) }]),
  ]
}

function exact(text: string) {
  return text === '' ? (
    ''
  ) : (
    <span className={styles['place']} translate="no">
      {text}
    </span>
  )
}
