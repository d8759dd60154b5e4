import { foldName } from './fold-name.ts'
import { compilePatterns, type PathPatterns } from './patterns.ts'

/** A limit that all running under it share. */
export interface RateBucket {
  readonly id: string
  /** 0 is no limit. */
  readonly bytesPerSecond: number
}

/** Whom rules were written for, where it matters to whoever asks about them. */
export type RuleLevel = 'site' | 'account'

/** Rules as an administrator wrote them, of one level: site, space, group, role, account, link. */
export interface RuleTexts {
  /** Default: the account. */
  readonly level?: RuleLevel
  readonly forbiddenPaths?: readonly string[]
  /** When there are any, everything else is forbidden. */
  readonly allowedPaths?: readonly string[]
  readonly uploadNewOnly?: boolean
  /** Endings of file names without the dot; '' is a name without any. */
  readonly deniedTypes?: readonly string[]
  readonly allowedTypes?: readonly string[]
  readonly uploadRates?: readonly RateBucket[]
  readonly downloadRates?: readonly RateBucket[]
}

/** Rules of one level, ready to be asked. Every level only narrows what the others leave. */
export interface Rules {
  readonly level: RuleLevel
  readonly forbidden: PathPatterns
  readonly allowed: PathPatterns
  readonly uploadNewOnly: boolean
  readonly deniedTypes: ReadonlySet<string>
  readonly allowedTypes: ReadonlySet<string> | undefined
  readonly uploadRates: readonly RateBucket[]
  readonly downloadRates: readonly RateBucket[]
}

/** @throws Error for a pattern with a fault, see patternFault() */
export function compileRules(texts: RuleTexts): Rules {
  const { forbiddenPaths = [], allowedPaths = [], deniedTypes = [], allowedTypes = [] } = texts
  return {
    level: texts.level ?? 'account',
    forbidden: compilePatterns(forbiddenPaths),
    allowed: compilePatterns(allowedPaths),
    uploadNewOnly: texts.uploadNewOnly ?? false,
    deniedTypes: new Set(deniedTypes.map(foldName)),
    allowedTypes: allowedTypes.length === 0 ? undefined : new Set(allowedTypes.map(foldName)),
    uploadRates: texts.uploadRates ?? [],
    downloadRates: texts.downloadRates ?? [],
  }
}

/** The endings of a name, longest first, folded: `a.tar.gz` has `tar.gz` and `gz`; '' stands for a name without any. */
export function endingsOf(name: string): string[] {
  const parts = foldName(name).split('.').slice(1)
  return parts.length === 0 ? [''] : parts.map((_part, at) => parts.slice(at).join('.'))
}
