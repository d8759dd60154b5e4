import { routes } from '@godwit/contract/table'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { BeginMoveCard } from './space-move-begin.tsx'
import { moveKey, type SpaceMoveState } from './space-move-state.ts'
import { SpaceMoveCard, SwitchedCard } from './space-move-cards.tsx'
import { useSpace } from './spaces-source.ts'

const BUSY_MS = 1_000
const CALM_MS = 10_000

/** Where a space is kept, and its way to another storage. */
export function SpaceMovePage() {
  const texts = useTexts()
  const hasTexts = useTextBundle('places')
  const { spaceId }: { readonly spaceId?: string } = useParams({ strict: false })
  const query = useSpace(Number(spaceId))
  if (!hasTexts) return null
  const back = { to: '/admin/spaces', label: texts('console-spaces.title') }
  return (
    <LoadedPage title={texts('console-spaces.move')} back={back} query={query}>
      {(space) =>
        space === null ? (
          <StatePanel icon={<Boxes size={28} />} title={texts('console-spaces.gone')} />
        ) : (
          <SpaceMove key={space.id} spaceId={space.id} name={nameOfSpace(space, texts)} back={back} />
        )
      }
    </LoadedPage>
  )
}

interface SpaceMoveProps {
  readonly spaceId: number
  readonly name: string
  readonly back: { readonly to: string; readonly label: string }
}

function SpaceMove({ spaceId, name, back }: SpaceMoveProps) {
  const texts = useTexts()
  const { api } = useServices()
  const title = texts('console-spaces.move.title', { name })
  const query = useQuery({
    queryKey: ['console', ...moveKey(spaceId)],
    // A copy goes on by itself, so looking again is no activity of the person.
    queryFn: ({ signal }) => api.call(routes.adminSpaceMoves.view, { params: { spaceId } }, { signal, quiet: true }),
    refetchInterval: ({ state }) => (state.data?.move?.state === 'working' ? BUSY_MS : CALM_MS),
  })
  return (
    <LoadedPage title={title} back={back} query={query}>
      {(state) => (
        <PageFrame title={title} help={texts('console-spaces.move.help')} back={back} isNarrow>
          <Whereabouts state={state} />
          <Steps spaceId={spaceId} name={name} state={state} />
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function Whereabouts({ state: { storages } }: { readonly state: SpaceMoveState }) {
  const texts = useTexts()
  const used = storages.filter(({ places }) => places > 0)
  return (
    <SectionCard title={texts('console-spaces.move.where')} lead={texts('console-spaces.move.where.lead')}>
      {used.length === 0 ? (
        <p>{texts('console-spaces.move.where.none')}</p>
      ) : (
        <Facts
          facts={used.map((storage) => ({
            label: storage.name,
            value: texts('storages.places.count', { count: storage.places }),
          }))}
        />
      )}
    </SectionCard>
  )
}

interface StepsProps {
  readonly spaceId: number
  readonly name: string
  readonly state: SpaceMoveState
}

/** One step is shown at a time: begin, follow, or free the old storage. */
function Steps({ spaceId, name, state }: StepsProps) {
  const { move, switched } = state
  const isBusy = move?.state === 'working'
  if (switched > 0 && !isBusy)
    return (
      <>
        {move?.task === 'switch' && move.state === 'failed' && (
          <SpaceMoveCard spaceId={spaceId} name={name} move={move} state={state} />
        )}
        <SwitchedCard spaceId={spaceId} name={name} state={state} />
      </>
    )
  // A task that is over leaves nothing to be done.
  const isOver = move === null || (move.state === 'done' && move.task !== 'copy') || isSwitched(state)
  return (
    <>
      {move !== null && !(isOver && move.task === 'copy') && (
        <SpaceMoveCard spaceId={spaceId} name={name} move={move} state={state} />
      )}
      {isOver && <BeginMoveCard spaceId={spaceId} name={name} state={state} />}
    </>
  )
}

/** Everything is where the copy was for: it was switched since, and freed by a command. */
function isSwitched({ move, storages }: SpaceMoveState): boolean {
  const elsewhere = storages.filter(({ id, places }) => places > 0 && id !== move?.storageId)
  return move?.task === 'copy' && move.state !== 'working' && elsewhere.length === 0
}
