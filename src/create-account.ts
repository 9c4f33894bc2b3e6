import { ApiClient, type CallObserver } from './api/client.ts';
import type { Connections } from './api/connections.ts';
import type { ApiSession } from './api/session.ts';
import { collectors } from './collectors/list.ts';
import { listAlertThresholds } from './config/alert-thresholds.ts';
import type { AccountConfig } from './config/config.ts';
import type { AccountStore } from './exposition/account-store.ts';
import { CallCounters } from './exposition/call-counters.ts';
import type { ProcessMetrics } from './exposition/process-metrics.ts';
import type { Log } from './log.ts';
import { scalarsFor } from './payloads/scalars.ts';
import { Account } from './polling/account.ts';
import type { FailureLog } from './polling/failure-log.ts';

/** What an account shares with others, or keeps over a reload. */
export interface AccountDependencies {
  readonly connections: Connections;
  readonly session: ApiSession;
  readonly store: AccountStore;
  readonly processMetrics: ProcessMetrics;
  readonly log: Log;
  readonly failureLog: FailureLog;
  /** Called after each call and each poll. */
  readonly onChange?: () => void;
}

/** Wires one account. */
export function createAccount(
  config: AccountConfig,
  { connections, session, store, processMetrics, log, failureLog, onChange = () => {} }: AccountDependencies,
): Account {
  const { name, api, credentials } = config;
  const enabled = collectors.filter((collector) => config.collectors[collector.name]?.enabled === true);
  const calls = new CallCounters();
  const observer: CallObserver = {
    onSent: () => {
      calls.countCall();
      store.touch();
    },
    onEnd: (method, seconds, error) => {
      processMetrics.observeRequest(method, seconds);
      if (error !== undefined) calls.countFailure(error.reason);
      store.touch();
      onChange();
      log.debug({ account: name, method, seconds: Number(seconds.toFixed(3)), reason: error?.reason }, 'API call');
    },
  };
  return new Account({
    config,
    collectors: enabled,
    client: new ApiClient(api, credentials, connections, session, observer),
    session,
    scalars: scalarsFor(api),
    store,
    calls,
    thresholds: listAlertThresholds(config.alerts),
    observePoll: (collector, seconds) => {
      processMetrics.observePoll(collector, seconds);
      onChange();
    },
    log,
    failureLog,
  });
}
