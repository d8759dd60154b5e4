import type { ApiTokenView } from '@godwit/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Action } from '../../../../lib/actions.tsx'
import { formatTime } from '../../../../lib/formats.ts'
import { lazyModule, lazyWindow } from '../../../../lib/lazy.tsx'
import type { ListShape } from '../../../../lib/list-address.ts'
import { useServices } from '../../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../../lib/texts.tsx'
import { useListAddress } from '../../../../lib/use-list-address.ts'
import { Button } from '../../../../ui/button.tsx'
import { DataTable, type Column, TIME_WIDTH } from '../../../../ui/data-table/index.ts'
import { type Filter, FilterBar } from '../../../../ui/filter-bar.tsx'
import { SectionCard } from '../../../../ui/section-card.tsx'
import { Tag } from '../../../../ui/tag.tsx'
import { chosenTokens, TOKEN_STATES } from './token-list.ts'
import { grantableOf } from '../../../../lib/permission-sets.ts'
import { useApiTokens, useApiTokensRefresh } from './tokens-query.ts'
import styles from './tokens.module.css'

const dialogs = lazyModule(() => import('./tokens.dialogs.tsx'))
const CreateTokenDialog = lazyWindow(dialogs, (module) => module.CreateTokenDialog)
const DeviceDialog = lazyWindow(
  lazyModule(() => import('./device.dialog.tsx')),
  (module) => module.DeviceDialog,
)
const RevokeDialog = lazyWindow(dialogs, (module) => module.RevokeDialog)

type Question = { readonly kind: 'create' } | { readonly kind: 'revoke'; readonly token: ApiTokenView }

const SHAPE: ListShape = {
  pageSizes: [],
  pageSize: 0,
  sort: { by: 'name', order: 'asc' },
  sortable: ['name', 'expires', 'used'],
  filters: ['q', 'state'],
}

/** Bearer tokens for programs: made with a name, rights and an end, shown once, revoked at once. */
export function TokensPage() {
  const texts = useTexts()
  const { clock } = useServices()
  const { data, error, refetch } = useApiTokens()
  const refresh = useApiTokensRefresh()
  const [question, setQuestion] = useState<Question>()
  const { filters, sort, filterBy, sortBy } = useListAddress(SHAPE)
  const now = clock.now()
  const rowActions: ReadonlyArray<Action<ApiTokenView>> = [
    {
      name: 'revoke-token',
      label: 'tokens.revoke',
      group: 'general',
      tone: 'danger',
      run: (token) => setQuestion({ kind: 'revoke', token }),
    },
  ]
  const navigate = useNavigate()
  // Where a program that signs in sends the person.
  const { device }: { readonly device?: string } = useSearch({ strict: false })
  const close = (): void => {
    setQuestion(undefined)
    void refresh()
  }
  return (
    <SectionCard
      title={texts('profile.tokens')}
      lead={texts('tokens.lead')}
      action={
        <Button kind="solid" onClick={() => setQuestion({ kind: 'create' })}>
          {texts('tokens.add')}
        </Button>
      }
    >
      {data !== undefined && data.length > 0 && (
        <FilterBar label={texts('tokens.filter')} filters={filtersOf(texts)} values={filters} onChange={filterBy} />
      )}
      <DataTable
        label={texts('profile.tokens')}
        columns={columnsOf(texts, now)}
        rows={data === undefined ? undefined : chosenTokens(data, { filters, sort, now, locale: texts.locale })}
        error={error}
        onRetry={() => void refetch()}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={<p className={styles['none']}>{texts(data?.length === 0 ? 'tokens.empty' : 'filter.none')}</p>}
        sort={sort}
        onSort={sortBy}
        rowActions={rowActions}
      />
      {device !== undefined && (
        <DeviceDialog userCode={device} onClose={() => void navigate({ to: '.', search: {}, replace: true })} />
      )}
      {question?.kind === 'create' && <CreateTokenDialog onClose={close} />}
      {question?.kind === 'revoke' && <RevokeDialog token={question.token} onClose={close} />}
    </SectionCard>
  )
}

function filtersOf(texts: Texts): readonly Filter[] {
  return [
    { kind: 'search', name: 'q', label: texts('tokens.filter.name') },
    {
      kind: 'choice',
      name: 'state',
      label: texts('tokens.filter.state'),
      choices: TOKEN_STATES.map((state) => ({ value: state, label: texts(`tokens.state.${state}`) })),
    },
  ]
}

function columnsOf(texts: Texts, now: number): ReadonlyArray<Column<ApiTokenView>> {
  return [
    {
      id: 'name',
      header: texts('tokens.name'),
      isSortable: true,
      narrow: 'title',
      cell: ({ name, permission, expiresAt }) => (
        <div className={styles['name']}>
          <span translate="no">{name}</span>
          {expiresAt <= now && <Tag tone="bad">{texts('tokens.state.expired')}</Tag>}
          <span className={styles['rights']}>
            {new Intl.ListFormat(texts.locale).format(
              grantableOf(permission).map((each) => texts(`permission.${each}`)),
            )}
          </span>
        </div>
      ),
    },
    {
      id: 'expires',
      header: texts('tokens.expires'),
      isSortable: true,
      width: TIME_WIDTH,
      cell: ({ expiresAt }) => formatTime(expiresAt / 1000),
    },
    {
      id: 'used',
      header: texts('tokens.used'),
      isSortable: true,
      width: TIME_WIDTH,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts('tokens.unused') : formatTime(lastUsedAt / 1000)),
    },
  ]
}
