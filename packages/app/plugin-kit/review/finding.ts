/** One finding of a check of a plugin. */
export interface Finding {
  /** `error`: a server refuses it, it does not run, or its types are wrong. */
  readonly level: 'error' | 'warning';
  /** A stable name in kebab-case. */
  readonly code: FindingCode;
  readonly message: string;
}

/** What a check can find. */
export type FindingCode =
  | 'capability-incomplete'
  | 'dependency-needed'
  | 'does-not-start'
  | 'handler-missing'
  | 'handler-undeclared'
  | 'handler-wrong'
  | 'hook-without-permission'
  | 'host-method-unknown'
  | 'large'
  | 'license-missing'
  | 'not-in-sandbox'
  | 'permission-missing'
  | 'permission-unused'
  | 'readme-missing'
  | 'readme-untouched'
  | 'reason-missing'
  | 'refused'
  | 'slow-start'
  | 'text-unknown'
  | 'translation-missing'
  | 'types-outdated'
  | 'types-unchecked'
  | 'types-wrong'
  | 'view-unknown';

export const warning = (code: FindingCode, message: string): Finding => ({
  level: 'warning',
  code,
  message,
});
