import { Inject, Injectable } from '@nestjs/common';
import { dispatchCalls } from '@watchword/contracts';
import { RPC } from '@watchword/platform';
import type { Rpc } from '@watchword/rpc';
import { Emails } from './emails/emails.js';
import { ScreeningRpc } from './fraud/anti-spam/screening.rpc.js';
import { PrefixGuardRpc } from './fraud/prefix-guard/prefix-guard.rpc.js';
import { MessageRpc } from './messages/message.rpc.js';
import { RegistrationsRpc } from './registrations/registrations.rpc.js';
import { CarriersRpc } from './routing/carriers.rpc.js';
import { OtpRpc } from './verification/otp.rpc.js';

/** The calls that dispatch answers, each from its room. */
@Injectable()
export class Calls {
  constructor(
    @Inject(RPC) private readonly rpc: Rpc,
    private readonly messages: MessageRpc,
    private readonly otps: OtpRpc,
    private readonly emails: Emails,
    private readonly registrations: RegistrationsRpc,
    private readonly carriers: CarriersRpc,
    private readonly prefixes: PrefixGuardRpc,
    private readonly screening: ScreeningRpc,
  ) {}

  serve(): void {
    const { listPrefixRestrictions, liftPrefixRestriction } = this.prefixes;
    const { listCarriers, changeCarrier } = this.carriers;
    const { screenText } = this.screening;
    this.rpc.serve(dispatchCalls, {
      ...this.messages.calls,
      ...this.otps.calls,
      ...this.emails.calls,
      ...this.registrations.calls,
      listPrefixRestrictions,
      liftPrefixRestriction,
      listCarriers,
      changeCarrier,
      screenText,
    });
  }
}
