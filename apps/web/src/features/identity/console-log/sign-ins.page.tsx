import type { SignInLogEntry } from '@godwit/contract'
import { LogIn } from 'lucide-react'
import { useMemo } from 'react'
import { deviceName } from '../../../lib/device-name.ts'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import type { Filter } from '../../../ui/filter-bar.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { accountColumns } from '../member-lists/index.ts'
import { SIGN_IN_RESULTS, signInsSource } from './log-source.ts'

const SHAPE = consoleShape({ filters: ['text', 'result', 'from', 'to'] })

/** Every sign-in of the last 90 days, those that failed too. */
export function SignInsPage() {
  const texts = useTexts()
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <ListPage
      name="sign-ins"
      title={texts('log.sign-ins')}
      help={texts('log.sign-ins.help')}
      source={signInsSource}
      shape={SHAPE}
      filters={filtersOf(texts)}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ account, at }) => `${account} ${formatTime(at / 1000)}`}
      empty={{
        icon: <LogIn size={28} />,
        title: texts('log.sign-ins.empty.title'),
        text: texts('log.sign-ins.empty.text'),
      }}
    />
  )
}

function filtersOf(texts: Texts): readonly Filter[] {
  return [
    { kind: 'search', name: 'text', label: texts('users.filter.text') },
    {
      kind: 'choice',
      name: 'result',
      label: texts('log.result'),
      choices: SIGN_IN_RESULTS.map((value) => ({ value, label: texts(`security.sign-ins.result.${value}`) })),
    },
    { kind: 'day', name: 'from', label: texts('log.from') },
    { kind: 'day', name: 'to', label: texts('log.to') },
  ]
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<SignInLogEntry>> {
  const { account, name } = accountColumns(texts)
  return [
    {
      id: 'time',
      header: texts('log.time'),
      narrow: 'title',
      width: '180px',
      text: ({ at }) => formatTime(at / 1000),
      cell: ({ at }) => formatTime(at / 1000),
    },
    { ...account, narrow: 'line' },
    name,
    {
      id: 'result',
      header: texts('log.result'),
      width: 'minmax(170px, 1.2fr)',
      text: ({ result }) => texts(`security.sign-ins.result.${result}`),
      cell: ({ result }) => (
        <Tag tone={result === 'success' ? 'good' : 'bad'}>{texts(`security.sign-ins.result.${result}`)}</Tag>
      ),
    },
    {
      id: 'method',
      header: texts('log.method'),
      width: 'minmax(120px, 1fr)',
      text: ({ method }) => texts(`security.sign-ins.method.${method}`),
      cell: ({ method }) => texts(`security.sign-ins.method.${method}`),
    },
    {
      id: 'device',
      header: texts('console-sessions.device'),
      width: 'minmax(140px, 1fr)',
      text: ({ userAgent }) => userAgent,
      cell: ({ userAgent }) => <span title={userAgent}>{deviceName(userAgent, texts)}</span>,
    },
    {
      id: 'address',
      header: texts('console-sessions.address'),
      width: '150px',
      text: ({ address }) => address,
      cell: ({ address }) => <span translate="no">{address}</span>,
    },
  ]
}
