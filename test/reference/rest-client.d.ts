export interface paths {
    "/api/v2/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list of deposits */
        get: operations["listDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/deposit/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One deposit */
        get: operations["getDeposit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list of accounts */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list of rewards */
        get: operations["listRewards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/market/data/{marketId}/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest market data of a market */
        get: operations["getLatestMarketData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/estimate/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The margin that a position would need, and where it would be closed out */
        get: operations["estimatePosition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/estimate/fee": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The fees that a trade would cost */
        get: operations["estimateFee"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/votes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All votes, on a proposal or of a party; the newest first */
        get: operations["listVotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list of assets */
        get: operations["listAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/asset/{assetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One asset */
        get: operations["getAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list of markets, without those that were rejected */
        get: operations["listMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/market/{marketId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One market */
        get: operations["getMarket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/market/data/{marketId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the market data of a market were after each block; without a time, the latest alone */
        get: operations["listMarketDataHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/markets/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest market data of every market; the newest market first */
        get: operations["listLatestMarketData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/parties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list of parties */
        get: operations["listParties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/balance/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the balances of accounts were after each block that changed one */
        get: operations["listBalanceChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What blocks changed, of the kinds of things that are named; the oldest first, by whole blocks */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A list of trades */
        get: operations["listTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/candle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The candles of a market, from that of its first trade, or the first whole one that is kept, to that of the last */
        get: operations["listCandles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/candle/intervals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How wide the candles of a market are, and by what ids they are asked for */
        get: operations["listCandleIntervals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/rewards/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the rewards of each party in each asset come to; by asset and party */
        get: operations["listRewardSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/rewards/epoch/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the rewards of each epoch come to, by market, asset and type */
        get: operations["listEpochRewardSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What has a text that begins with another, and the block and the epoch of a number; exact ones first */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/stream/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts as they are, and then every change of a balance
         * @description A snapshot of one block in one or more messages, then the changes of each later block, once, in order.
         *     As `application/json` each line is a message, and an empty line shows that a quiet stream is alive; as `text/event-stream` the
         *     `data` of each event is one, its `id` the cursor, and an event `error` the last; as a WebSocket at the same address each text frame
         *     is one. Nothing is left out in silence: a stream that cannot go on ends with a message that says why. `/asyncapi.json` has more.
         */
        get: operations["observeAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/stream/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades as they are, and then the trades of each block
         * @description A snapshot of one block in one or more messages, then the changes of each later block, once, in order.
         *     As `application/json` each line is a message, and an empty line shows that a quiet stream is alive; as `text/event-stream` the
         *     `data` of each event is one, its `id` the cursor, and an event `error` the last; as a WebSocket at the same address each text frame
         *     is one. Nothing is left out in silence: a stream that cannot go on ends with a message that says why. `/asyncapi.json` has more.
         */
        get: operations["observeTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/stream/candle/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest candle of a market as it changes, and each candle that ends
         * @description The newest candle of a market as it changes, and each candle that ends.
         *     As `application/json` each line is a message, and an empty line shows that a quiet stream is alive; as `text/event-stream` the
         *     `data` of each event is one, its `id` the cursor, and an event `error` the last; as a WebSocket at the same address each text frame
         *     is one. Nothing is left out in silence: a stream that cannot go on ends with a message that says why. `/asyncapi.json` has more.
         */
        get: operations["observeCandles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/stream/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Several kinds of things as they are, and then what each block changes of them
         * @description A snapshot of one block in one or more messages, then the changes of each later block, once, in order.
         *     As `application/json` each line is a message, and an empty line shows that a quiet stream is alive; as `text/event-stream` the
         *     `data` of each event is one, its `id` the cursor, and an event `error` the last; as a WebSocket at the same address each text frame
         *     is one. Nothing is left out in silence: a stream that cannot go on ends with a message that says why. `/asyncapi.json` has more.
         */
        get: operations["observeChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The balance that an owner holds of one asset for one purpose. */
        Account: {
            /** @description The identifier of the party that owns the account; `network` for the network's own. */
            owner: string;
            /** @description The balance, in the asset's smallest unit. */
            balance: components["schemas"]["Integer"];
            /** @description The identifier of the asset in the account. */
            asset: string;
            /** @description The identifier of the account's market; empty if it has none. */
            marketId: string;
            /** @description The purpose of the account. */
            type: components["schemas"]["AccountType"];
        };
        /** @description A page of accounts. */
        AccountConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["AccountEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description An account in a page. */
        AccountEdge: {
            /** @description The row. */
            node: components["schemas"]["Account"];
            /** @description The cursor of the row, for `after` and `before`. */
            cursor: string;
        };
        /** @description The purpose of an account. */
        AccountType: ("ACCOUNT_TYPE_UNSPECIFIED" | "ACCOUNT_TYPE_INSURANCE" | "ACCOUNT_TYPE_SETTLEMENT" | "ACCOUNT_TYPE_MARGIN" | "ACCOUNT_TYPE_GENERAL" | "ACCOUNT_TYPE_FEES_INFRASTRUCTURE" | "ACCOUNT_TYPE_FEES_LIQUIDITY" | "ACCOUNT_TYPE_FEES_MAKER" | "ACCOUNT_TYPE_BOND" | "ACCOUNT_TYPE_EXTERNAL" | "ACCOUNT_TYPE_GLOBAL_INSURANCE" | "ACCOUNT_TYPE_GLOBAL_REWARD" | "ACCOUNT_TYPE_PENDING_TRANSFERS" | "ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES" | "ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS" | "ACCOUNT_TYPE_HOLDING" | "ACCOUNT_TYPE_LP_LIQUIDITY_FEES" | "ACCOUNT_TYPE_LIQUIDITY_FEES_BONUS_DISTRIBUTION" | "ACCOUNT_TYPE_NETWORK_TREASURY" | "ACCOUNT_TYPE_VESTING_REWARDS" | "ACCOUNT_TYPE_VESTED_REWARDS" | "ACCOUNT_TYPE_REWARD_AVERAGE_POSITION" | "ACCOUNT_TYPE_REWARD_RELATIVE_RETURN" | "ACCOUNT_TYPE_REWARD_RETURN_VOLATILITY" | "ACCOUNT_TYPE_REWARD_VALIDATOR_RANKING" | "ACCOUNT_TYPE_PENDING_FEE_REFERRAL_REWARD" | "ACCOUNT_TYPE_ORDER_MARGIN" | "ACCOUNT_TYPE_REWARD_REALISED_RETURN" | "ACCOUNT_TYPE_BUY_BACK_FEES" | "ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL" | "ACCOUNT_TYPE_REWARD_ELIGIBLE_ENTITIES" | "ACCOUNT_TYPE_LOCKED_FOR_STAKING") | string;
        /** @description A page of the accounts at the end of the message's block. */
        AccountsSnapshot: {
            /** @description A list of the accounts in the page, oldest first. */
            accounts: components["schemas"]["Account"][];
            /** @description Whether this is the last page of the snapshot. */
            lastPage: boolean;
        };
        /** @description The accounts that a block changed. */
        AccountsUpdates: {
            /** @description A list of the accounts that changed, each once, as they are at the end of the block. */
            accounts: components["schemas"]["Account"][];
        };
        /** @description The balance of an account at the end of a block that changed it. */
        AggregatedBalance: {
            /** @description The time of the block. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The balance, in the asset's smallest unit. */
            balance: components["schemas"]["Integer"];
            /** @description The party that owns the account. */
            partyId: string;
            /** @description The asset that the account holds. */
            assetId: string;
            /** @description The market that the account belongs to; empty for none. */
            marketId: string;
            /** @description The type of the account. */
            accountType: components["schemas"]["AccountType"];
        };
        /** @description A page of rows. */
        AggregatedBalanceConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["AggregatedBalanceEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description A row in a page. */
        AggregatedBalanceEdge: {
            /** @description The row. */
            node: components["schemas"]["AggregatedBalance"];
            /** @description The cursor of the row. */
            cursor: string;
        };
        /** @description An asset that the network holds and markets settle in. */
        Asset: {
            /** @description The identifier of the asset. */
            id: string;
            /** @description What the asset is. */
            details: components["schemas"]["AssetDetails"];
            /** @description The status of the asset. */
            status: components["schemas"]["AssetStatus"];
        };
        /** @description A page of rows. */
        AssetConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["AssetEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description What an asset is. It has one source at most. */
        AssetDetails: {
            /** @description The name of the asset, such as `Euro`. */
            name: string;
            /** @description The symbol of the asset, such as `EUR`. */
            symbol: string;
            /** @description The number of decimal places between the smallest unit and the whole one. */
            decimals: components["schemas"]["Uint64"];
            /** @description The smallest amount that is economically meaningful, in the asset's smallest unit. */
            quantum: components["schemas"]["Decimal"];
            /** @description Absent unless the asset is of the network itself. */
            builtinAsset?: components["schemas"]["BuiltinAsset"];
            /** @description Absent unless the asset is a token of an Ethereum chain. */
            erc20?: components["schemas"]["Erc20Asset"];
        };
        /** @description A row in a page. */
        AssetEdge: {
            /** @description The row. */
            node: components["schemas"]["Asset"];
            /** @description The cursor of the row. */
            cursor: string;
        };
        /** @description The status of an asset. */
        AssetStatus: ("STATUS_UNSPECIFIED" | "STATUS_PROPOSED" | "STATUS_REJECTED" | "STATUS_PENDING_LISTING" | "STATUS_ENABLED") | string;
        /** @description How long the auction lasts in which trading begins. */
        AuctionDuration: {
            /** @description The least time, in seconds. */
            duration: components["schemas"]["Int64"];
            /** @description The volume that ends it sooner, in position decimals; `"0"` if there is none. */
            volume: components["schemas"]["Uint64"];
        };
        /** @description The reason for which an auction started or was extended. */
        AuctionTrigger: ("AUCTION_TRIGGER_UNSPECIFIED" | "AUCTION_TRIGGER_BATCH" | "AUCTION_TRIGGER_OPENING" | "AUCTION_TRIGGER_PRICE" | "AUCTION_TRIGGER_LIQUIDITY" | "AUCTION_TRIGGER_LIQUIDITY_TARGET_NOT_MET" | "AUCTION_TRIGGER_UNABLE_TO_DEPLOY_LP_ORDERS" | "AUCTION_TRIGGER_GOVERNANCE_SUSPENSION" | "AUCTION_TRIGGER_LONG_BLOCK" | "AUCTION_TRIGGER_PROTOCOL_AUTOMATED_PURCHASE") | string;
        /** @description A purchase that the network makes in a spot market. */
        AutomatedPurchase: {
            /** @description The identifier of the purchase. */
            id: string;
            /** @description The identifier of the network's order; absent while it has none. */
            orderId?: string;
        };
        /** @description A change that a batch of proposals would make. */
        BatchProposalChange: ("CHANGE_UPDATE_MARKET" | "CHANGE_NEW_MARKET" | "CHANGE_UPDATE_NETWORK_PARAMETER" | "CHANGE_NEW_FREEFORM" | "CHANGE_UPDATE_ASSET" | "CHANGE_NEW_SPOT_MARKET" | "CHANGE_UPDATE_SPOT_MARKET" | "CHANGE_NEW_TRANSFER" | "CHANGE_CANCEL_TRANSFER" | "CHANGE_UPDATE_MARKET_STATE" | "CHANGE_UPDATE_REFERRAL_PROGRAM" | "CHANGE_UPDATE_VOLUME_DISCOUNT_PROGRAM" | "CHANGE_NEW_ASSET" | "CHANGE_UPDATE_VOLUME_REBATE_PROGRAM" | "CHANGE_NEW_PROTOCOL_AUTOMATED_PURCHASE") | string;
        /** @description The changes that a batch of proposals would make, and their times. */
        BatchProposalTerms: {
            /** @description The time at which the vote closes. */
            closingTimestamp: components["schemas"]["Timestamp"];
            /** @description A list of the changes. Each is a proposal of its own besides, which names the batch. */
            changes: components["schemas"]["BatchProposalTermsChange"][];
        };
        /** @description One change of a batch. */
        BatchProposalTermsChange: {
            /** @description The time at which the change is carried out; `"0"` if it never is. */
            enactmentTimestamp: components["schemas"]["Timestamp"];
            /** @description The time until which the validators can check the change; `"0"` if they need not. */
            validationTimestamp: components["schemas"]["Timestamp"];
            /** @description The kind of the change; absent if the network gave none. */
            change?: components["schemas"]["BatchProposalChange"];
        };
        /** @description A block: the changes that the network made at one time. */
        Block: {
            /** @description The height of the block. */
            height: components["schemas"]["Uint64"];
            /** @description The time of the block. */
            timestamp: components["schemas"]["Timestamp"];
        };
        /** @description What a block changed. */
        BlockChanges: {
            block: components["schemas"]["Block"];
            /** @description A list of the parties that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            parties?: components["schemas"]["NamedParty"][];
            /** @description A list of the assets that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            assets?: components["schemas"]["Asset"][];
            /** @description A list of the markets that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            markets?: components["schemas"]["Market"][];
            /** @description A list of the riskFactors that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            riskFactors?: components["schemas"]["RiskFactor"][];
            /** @description A list of the marketData that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            marketData?: components["schemas"]["MarketData"][];
            /** @description A list of the accounts that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            accounts?: components["schemas"]["Account"][];
            /** @description A list of the deposits that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            deposits?: components["schemas"]["Deposit"][];
            /** @description A list of the trades that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            trades?: components["schemas"]["Trade"][];
            /** @description A list of the rewards that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            rewards?: components["schemas"]["Reward"][];
            /** @description A list of the proposals that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            proposals?: components["schemas"]["Proposal"][];
            /** @description A list of the votes that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            votes?: components["schemas"]["Vote"][];
            /** @description A list of the marginLevels that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            marginLevels?: components["schemas"]["MarginLevel"][];
            /** @description A list of the partyProfiles that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            partyProfiles?: components["schemas"]["PartyProfile"][];
        };
        /** @description What an asset of the network itself has. */
        BuiltinAsset: {
            /** @description The largest amount that one call of the faucet gives. */
            maxFaucetAmountMint: components["schemas"]["Integer"];
        };
        /** @description The trades of a market in one piece of time. Without any, all four prices are that of the last trade before. */
        CandleData: {
            /** @description The time at which it begins. */
            start: components["schemas"]["Timestamp"];
            /** @description The time of the block of the last trade in it, or before it where it has none. */
            lastUpdate: components["schemas"]["Timestamp"];
            /** @description The greatest price, in market decimals. */
            high: components["schemas"]["Decimal"];
            /** @description The least price, in market decimals. */
            low: components["schemas"]["Decimal"];
            /** @description The price of the first trade, in market decimals. */
            open: components["schemas"]["Decimal"];
            /** @description The price of the last trade so far, in market decimals. */
            close: components["schemas"]["Decimal"];
            /** @description The sum of the sizes, in position decimals. */
            volume: components["schemas"]["Decimal"];
            /** @description The sum of price times size, in market decimals and position decimals together. */
            notional: components["schemas"]["Decimal"];
        };
        /** @description A page of rows. */
        CandleDataConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["CandleDataEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description A row in a page. */
        CandleDataEdge: {
            /** @description The row. */
            node: components["schemas"]["CandleData"];
            /** @description The cursor of the row. */
            cursor: string;
        };
        /** Candle */
        CandlesCandleMessage: {
            result: components["schemas"]["CandlesCandleResult"];
            /** @description The block of the message. */
            block?: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor?: string;
        };
        CandlesCandleResult: {
            candle: components["schemas"]["CandleData"];
        };
        /**
         * End
         * @description Why the stream ends. No message follows.
         */
        CandlesErrorMessage: {
            error: components["schemas"]["Error"];
        };
        /**
         * Reached
         * @description Which block a quiet stream has reached, for those who ask for it with progress.
         */
        CandlesReachedMessage: {
            reached: components["schemas"]["ReachedResult"];
        };
        /** @description What a stream tells, or why it ends. */
        CandlesStreamMessage: components["schemas"]["CandlesCandleMessage"] | components["schemas"]["CandlesReachedMessage"] | components["schemas"]["CandlesErrorMessage"];
        /** @description A page of changes, by blocks. */
        ChangesConnection: {
            /** @description A list of the blocks that changed something, oldest first. */
            edges: components["schemas"]["ChangesEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["ChangesPageInfo"];
        };
        /** @description The changes of a block in a page. */
        ChangesEdge: {
            /** @description What the block changed. */
            node: components["schemas"]["BlockChanges"];
            /** @description The cursor of the block, for pagination.after, and for after of changes in GraphQL, here and as a stream. */
            cursor: string;
        };
        /**
         * End
         * @description Why the stream ends. No message follows.
         */
        ChangesErrorMessage: {
            error: components["schemas"]["Error"];
        };
        /** @description Information about a page of changes. */
        ChangesPageInfo: {
            /** @description Whether changes follow, or may follow: a page can end before it is full where what passes the filter is little or lies far apart. */
            hasNextPage: boolean;
            /** @description The cursor of where the page ends. It is there on an empty page, too: hand it in the next time. */
            endCursor: string;
        };
        /**
         * Reached
         * @description Which block a quiet stream has reached, for those who ask for it with progress.
         */
        ChangesReachedMessage: {
            reached: components["schemas"]["ReachedResult"];
        };
        /** @description A page of the rows at the end of a block. */
        ChangesSnapshot: {
            /** @description A list of the parties that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            parties?: components["schemas"]["NamedParty"][];
            /** @description A list of the assets that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            assets?: components["schemas"]["Asset"][];
            /** @description A list of the markets that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            markets?: components["schemas"]["Market"][];
            /** @description A list of the riskFactors that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            riskFactors?: components["schemas"]["RiskFactor"][];
            /** @description A list of the marketData that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            marketData?: components["schemas"]["MarketData"][];
            /** @description A list of the accounts that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            accounts?: components["schemas"]["Account"][];
            /** @description A list of the deposits that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            deposits?: components["schemas"]["Deposit"][];
            /** @description A list of the trades that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            trades?: components["schemas"]["Trade"][];
            /** @description A list of the rewards that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            rewards?: components["schemas"]["Reward"][];
            /** @description A list of the proposals that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            proposals?: components["schemas"]["Proposal"][];
            /** @description A list of the votes that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            votes?: components["schemas"]["Vote"][];
            /** @description A list of the marginLevels that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            marginLevels?: components["schemas"]["MarginLevel"][];
            /** @description A list of the partyProfiles that changed, each once, as they are at the end of the block. Absent where nouns does not name them. */
            partyProfiles?: components["schemas"]["PartyProfile"][];
            /** @description Whether this is the last page of the snapshot. */
            lastPage: boolean;
        };
        /** Snapshot */
        ChangesSnapshotMessage: {
            result: components["schemas"]["ChangesSnapshotResult"];
            /** @description The block of the message. */
            block?: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor?: string;
        };
        ChangesSnapshotResult: {
            snapshot: components["schemas"]["ChangesSnapshot"];
        };
        /** @description What a stream tells, or why it ends. */
        ChangesStreamMessage: components["schemas"]["ChangesSnapshotMessage"] | components["schemas"]["ChangesUpdatesMessage"] | components["schemas"]["ChangesReachedMessage"] | components["schemas"]["ChangesErrorMessage"];
        /** Updates */
        ChangesUpdatesMessage: {
            result: components["schemas"]["ChangesUpdatesResult"];
            /** @description The block of the message. */
            block?: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor?: string;
        };
        ChangesUpdatesResult: {
            updates: components["schemas"]["BlockChanges"];
        };
        /** @description The bounds of what would have to be added to the margin accounts of the party, in whole smallest units of the settlement asset; below zero if it would be released. In isolated margin mode both are one. */
        CollateralIncreaseEstimate: {
            /** @description The bound with all of the market's slippage. */
            worstCase: components["schemas"]["Integer"];
            /** @description The bound without slippage. */
            bestCase: components["schemas"]["Integer"];
        };
        /** @description How a price is made of several sources. The oracles among them are not kept, and so are not here. */
        CompositePriceConfiguration: {
            /** @description How much trades lose of their weight as they grow old, from 0 to 1. */
            decayWeight: components["schemas"]["Decimal"];
            /** @description The power by which that weight falls with the age of a trade. */
            decayPower: components["schemas"]["Uint64"];
            /** @description The amount that the price of the order book is for, in the asset's smallest unit. */
            cashAmount: components["schemas"]["Decimal"];
            /** @description A list of the weights of the sources: trades, order book, oracles, median of the others. */
            sourceWeights: components["schemas"]["Decimal"][];
            /** @description A list of the ages at which a source no longer counts, in the same order, as durations such as `1m0s`. */
            sourceStalenessTolerance: string[];
            /** @description The way in which the sources become one price. */
            compositePriceType: components["schemas"]["CompositePriceType"];
        };
        /** @description A price that others are made of. */
        CompositePriceSource: {
            /** @description The name of the source. */
            priceSource: string;
            /** @description The price that the source gave last, in asset decimals. */
            price: components["schemas"]["Integer"];
            /** @description The time at which the source gave it. */
            lastUpdated: components["schemas"]["Timestamp"];
        };
        /** @description The sources that a composite price is made of. */
        CompositePriceState: {
            /** @description A list of the sources that have given a price. */
            priceSources: components["schemas"]["CompositePriceSource"][];
        };
        /** @description The way in which a price is made of several sources. */
        CompositePriceType: ("COMPOSITE_PRICE_TYPE_UNSPECIFIED" | "COMPOSITE_PRICE_TYPE_WEIGHTED" | "COMPOSITE_PRICE_TYPE_MEDIAN" | "COMPOSITE_PRICE_TYPE_LAST_TRADE") | string;
        /**
         * Format: decimal
         * @description An exact decimal number of any sign, written as a decimal string. An argument can have an exponent, and at most 400 digits when written out.
         */
        Decimal: string;
        /** @description A deposit: an amount of an asset that a party moves into the network. */
        Deposit: {
            /** @description The identifier of the deposit. */
            id: string;
            /** @description The status of the deposit. */
            status: components["schemas"]["DepositStatus"];
            /** @description The identifier of the party that the deposit is for. */
            partyId: string;
            /** @description The identifier of the asset deposited. */
            asset: string;
            /** @description The amount, in the asset's smallest unit. */
            amount: components["schemas"]["Integer"];
            /** @description The hash of the transaction on the chain that the asset comes from. May be empty. */
            txHash: string;
            /** @description The time at which the deposit was credited; `"0"` until then. */
            creditedTimestamp: components["schemas"]["Timestamp"];
            /** @description The time at which the deposit was created. */
            createdTimestamp: components["schemas"]["Timestamp"];
        };
        /** @description A page of deposits. */
        DepositConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["DepositEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description A deposit in a page. */
        DepositEdge: {
            /** @description The row. */
            node: components["schemas"]["Deposit"];
            /** @description The cursor of the row, for `after` and `before`. */
            cursor: string;
        };
        /** @description The status of a deposit. */
        DepositStatus: ("STATUS_UNSPECIFIED" | "STATUS_OPEN" | "STATUS_CANCELLED" | "STATUS_FINALIZED" | "STATUS_DUPLICATE_REJECTED") | string;
        /** @description What the rewards of one type, in one asset, for one market and epoch come to. */
        EpochRewardSummary: {
            /** @description The epoch that the rewards are for. */
            epoch: components["schemas"]["Uint64"];
            /** @description The market that they are for; empty for none. */
            marketId: string;
            /** @description The asset paid out. */
            assetId: string;
            /** @description The type of the rewards. */
            rewardType: string;
            /** @description What they come to, in the asset's smallest unit. */
            amount: components["schemas"]["Integer"];
        };
        /** @description A page of rows. */
        EpochRewardSummaryConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["EpochRewardSummaryEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description A row in a page. */
        EpochRewardSummaryEdge: {
            /** @description The row. */
            node: components["schemas"]["EpochRewardSummary"];
            /** @description The cursor of the row. */
            cursor: string;
        };
        /** @description A party's share of the liquidity of a market. */
        EquityLikeShare: {
            /** @description The identifier of the market. */
            marketId: string;
            /** @description The share, from 0 to 1. */
            els: components["schemas"]["Decimal"];
        };
        /** @description What an asset has that is a token of an Ethereum chain. */
        Erc20Asset: {
            /** @description The address of the contract. */
            contractAddress: string;
            /** @description The total amount that one address can ever deposit. */
            lifetimeLimit: components["schemas"]["Integer"];
            /** @description The amount from which a withdrawal is delayed. */
            withdrawThreshold: components["schemas"]["Integer"];
            /** @description The identifier of the chain that the contract is on, such as `1`; absent before release 0.76. */
            chainId?: string;
        };
        /** @description The body of every answer that is no success, whatever produced it. */
        Error: {
            /**
             * Format: int32
             * @description The gRPC code of the error.
             * @enum {integer}
             */
            code: 3 | 5 | 8 | 9 | 11 | 12 | 13 | 14;
            /** @description What is the matter, for a person. */
            message: string;
            /** @description The same for programs. */
            details: ({
                /** @constant */
                "@type": "type.googleapis.com/google.rpc.BadRequest";
                fieldViolations: {
                    /** @description The documented name of the parameter. */
                    field: string;
                    description: string;
                }[];
            } | {
                /** @constant */
                "@type": "type.googleapis.com/google.rpc.ResourceInfo";
                /** @description What was asked for, such as `deposit`. */
                resourceType: string;
                /** @description The id that it was asked for by. */
                resourceName: string;
            } | {
                /** @constant */
                "@type": "type.googleapis.com/google.rpc.ErrorInfo";
                /**
                 * @description Why there is nothing as of a block.
                 * @enum {string}
                 */
                reason: "NO_SUCH_BLOCK" | "BLOCK_NOT_KEPT";
                /** @constant */
                domain: "periscope";
                /** @description Blocks that can be asked about, as far as they are known. */
                metadata: {
                    /** @description The height of the first. */
                    firstHeight?: string;
                    /** @description The height of the newest. */
                    newestHeight?: string;
                };
            } | {
                /** @constant */
                "@type": "type.googleapis.com/google.rpc.RetryInfo";
                /** @description After how long to try again, such as `1s`. */
                retryDelay: string;
            } | {
                /** @constant */
                "@type": "type.googleapis.com/google.rpc.RequestInfo";
                /** @description The id of the request, as in X-Request-Id. */
                requestId: string;
            })[];
        };
        /**
         * End
         * @description Why the stream ends. No message follows.
         */
        ErrorMessage: {
            error: components["schemas"]["Error"];
        };
        /** @description The margin levels that a position would have, in whole smallest units of the settlement asset. */
        EstimatedMarginLevel: {
            /** @description The maintenance margin. With less, the position would be closed out. */
            maintenanceMargin: components["schemas"]["Integer"];
            /** @description The search level. With less, the network would take margin from the party's general account. `"0"` in isolated margin mode, in which it never does. */
            searchLevel: components["schemas"]["Integer"];
            /** @description The initial margin. It would be needed to open the position. */
            initialMargin: components["schemas"]["Integer"];
            /** @description The collateral release level. With more, the network would release margin. `"0"` in isolated margin mode, in which it never does. */
            collateralReleaseLevel: components["schemas"]["Integer"];
            /** @description Empty, as an estimate is for no party in particular. */
            partyId: string;
            /** @description The identifier of the market of the position. */
            marketId: string;
            /** @description The identifier of the asset of the margin. */
            asset: string;
            /** @description Always `"0"`, as an estimate is for no time in particular. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The margin that the limit orders would need, apart from the position; absent or empty unless in isolated margin mode. */
            orderMargin?: components["schemas"]["Integer"] | "";
            /** @description The margin mode by whose rules the levels are; absent if the estimate was asked for without one. */
            marginMode?: components["schemas"]["MarginMode"];
            /** @description The part of the value of the position that is its margin; absent or empty unless in isolated margin mode. */
            marginFactor?: components["schemas"]["Decimal"] | "";
        };
        /** @description The fees of a trade, in the asset's smallest unit: of the settlement asset, or of the quote asset in a spot market. A party that is named pays less by its discounts. */
        FeeEstimate: {
            /** @description The fee for the maker of the trade. */
            makerFee: components["schemas"]["Integer"];
            /** @description The fee for the validators. */
            infrastructureFee: components["schemas"]["Integer"];
            /** @description The fee for the liquidity providers. */
            liquidityFee: components["schemas"]["Integer"];
            /** @description What the party is let off the maker fee for its volume; absent unless a party is named. */
            makerFeeVolumeDiscount?: components["schemas"]["Integer"];
            /** @description What the party is let off the infrastructure fee for its volume; absent unless a party is named. */
            infrastructureFeeVolumeDiscount?: components["schemas"]["Integer"];
            /** @description What the party is let off the liquidity fee for its volume; absent unless a party is named. */
            liquidityFeeVolumeDiscount?: components["schemas"]["Integer"];
            /** @description What the party is let off the maker fee for its referral; absent unless a party is named. */
            makerFeeReferrerDiscount?: components["schemas"]["Integer"];
            /** @description What the party is let off the infrastructure fee for its referral; absent unless a party is named. */
            infrastructureFeeReferrerDiscount?: components["schemas"]["Integer"];
            /** @description What the party is let off the liquidity fee for its referral; absent unless a party is named. */
            liquidityFeeReferrerDiscount?: components["schemas"]["Integer"];
            /** @description The fee for the treasury of the network, on top of the others; absent before release 0.78. */
            treasuryFee?: components["schemas"]["Integer"];
            /** @description The fee for what the network buys back, on top of the others; absent before release 0.78. */
            buyBackFee?: components["schemas"]["Integer"];
            /** @description The fee for a maker of much volume: always absent or empty, as nobody knows beforehand whose orders a trade meets. */
            highVolumeMakerFee?: components["schemas"]["Integer"] | "";
        };
        /** @description The shares of the value of a trade that are its fees. */
        FeeFactors: {
            /** @description What goes to the maker of the trade. */
            makerFee: components["schemas"]["Decimal"];
            /** @description What goes to the validators. */
            infrastructureFee: components["schemas"]["Decimal"];
            /** @description What goes to the liquidity providers. */
            liquidityFee: components["schemas"]["Decimal"];
            /** @description What goes to the network's treasury; absent before release 0.78. */
            treasuryFee?: components["schemas"]["Decimal"];
            /** @description What the network buys back tokens with; absent before release 0.78. */
            buyBackFee?: components["schemas"]["Decimal"];
        };
        /** @description The fees of a market. */
        Fees: {
            /** @description The shares that the fees are. */
            factors: components["schemas"]["FeeFactors"];
            /** @description How the liquidity fee is set; absent before release 0.74. */
            liquidityFeeSettings?: components["schemas"]["LiquidityFeeSettings"];
        };
        /** @description A future. The sources of its data, and what binds them to it, are not kept, and so are not here. */
        Future: {
            /** @description The identifier of the asset that the market settles in. */
            settlementAsset: string;
            /** @description The name of the unit in which prices are quoted. May be empty. */
            quoteName: string;
            /** @description The cap; absent if there is none. */
            cap?: components["schemas"]["FutureCap"];
        };
        /** @description The cap of a future: no price passes it. */
        FutureCap: {
            /** @description The highest price, in market decimals. */
            maxPrice: components["schemas"]["Integer"];
            /** @description Whether the market settles at 0 or at the highest price, and at nothing between. */
            binarySettlement: boolean;
            /** @description Whether the margin of a position is all that it can lose. */
            fullyCollateralised: boolean;
        };
        /** @description What a market trades: one product, or none of these where a newer release brings another. */
        Instrument: {
            /** @description The identifier of the instrument. May be empty. */
            id: string;
            /** @description The code of the instrument. */
            code: string;
            /** @description The name of the instrument. */
            name: string;
            /** @description What else is said of the instrument. */
            metadata: components["schemas"]["InstrumentMetadata"];
            /** @description Absent unless it is a future. */
            future?: components["schemas"]["Future"];
            /** @description Absent unless it is a spot. */
            spot?: components["schemas"]["Spot"];
            /** @description Absent unless it is a perpetual. */
            perpetual?: components["schemas"]["Perpetual"];
        };
        /** @description What else is said of an instrument. */
        InstrumentMetadata: {
            /** @description A list of the tags of the instrument. */
            tags: string[];
        };
        /**
         * Format: int64
         * @description An integer from -2^63 to 2^63 - 1, written as a decimal string.
         */
        Int64: string;
        /**
         * Format: integer
         * @description An integer of any sign and at most 400 digits, written as a decimal string.
         */
        Integer: string;
        /** @description A width that the candles of a market have, and the id of these. */
        IntervalToCandleId: {
            /** @description The width. */
            interval: string;
            /** @description The id, for candleId. */
            candleId: string;
        };
        /** @description The bounds of the liquidation prices of a position. */
        LiquidationEstimate: {
            /** @description The bound with all of the market's slippage. */
            worstCase: components["schemas"]["LiquidationPrices"];
            /** @description The bound without slippage. */
            bestCase: components["schemas"]["LiquidationPrices"];
        };
        /** @description The prices at which the collateral would no longer cover the maintenance margin, in the settlement asset's smallest unit, with 16 decimal places; in market decimals, and whole, where `scaleLiquidationPriceToMarketDecimals` asks for it. With a margin mode, and for perpetuals and futures with a cap, they are whole, and where the collateral does not cover the margin as it is, they are the market's price. */
        LiquidationPrices: {
            /** @description The price for the open volume alone; `"0"` if there is no open volume. */
            openVolumeOnly: components["schemas"]["Decimal"];
            /** @description The price if the buy orders trade before it is reached. */
            includingBuyOrders: components["schemas"]["Decimal"];
            /** @description The price if the sell orders trade before it is reached. */
            includingSellOrders: components["schemas"]["Decimal"];
        };
        /** @description How the network gets rid of the positions that it took over from those it closed out. */
        LiquidationStrategy: {
            /** @description The time between two sales, in seconds. */
            disposalTimeStep: components["schemas"]["Int64"];
            /** @description The share of the position that is sold at a time, from 0 to 1. */
            disposalFraction: components["schemas"]["Decimal"];
            /** @description The volume up to which it is sold at once, in position decimals. */
            fullDisposalSize: components["schemas"]["Uint64"];
            /** @description The share of the volume in the order book that a sale takes at most, from 0 to 1. */
            maxFractionConsumed: components["schemas"]["Decimal"];
            /** @description The largest distance from the mid price at which it is sold, as a share of that price; absent before release 0.76. */
            disposalSlippageRange?: components["schemas"]["Decimal"];
        };
        /** @description The way in which the liquidity fee of a market is set. */
        LiquidityFeeMethod: ("METHOD_UNSPECIFIED" | "METHOD_MARGINAL_COST" | "METHOD_WEIGHTED_AVERAGE" | "METHOD_CONSTANT") | string;
        /** @description How the liquidity fee of a market is set. */
        LiquidityFeeSettings: {
            /** @description The way in which it is set. */
            method: components["schemas"]["LiquidityFeeMethod"];
            /** @description The fee where it is constant, as a share of the value of a trade; absent where it is not. */
            feeConstant?: components["schemas"]["Decimal"];
        };
        /** @description What too little liquidity is. */
        LiquidityMonitoringParameters: {
            /** @description What the target stake is computed from; null if the network gave nothing. */
            targetStakeParameters: components["schemas"]["TargetStakeParameters"] | null;
            /** @description The share of the target stake below which the market goes into an auction; empty from release 0.73 on. */
            triggeringRatio: components["schemas"]["Decimal"] | "";
            /** @description By how much such an auction is extended, in seconds. */
            auctionExtension: components["schemas"]["Int64"];
        };
        /** @description A liquidity provider's share of the fees. */
        LiquidityProviderFeeShare: {
            /** @description The identifier of the party that provides liquidity. */
            party: string;
            /** @description The share of the liquidity provider, from 0 to 1. */
            equityLikeShare: components["schemas"]["Decimal"];
            /** @description The average value of the market at the times of the party's commitments, in the asset's smallest unit. */
            averageEntryValuation: components["schemas"]["Decimal"];
            /** @description The average score of how close to the mid price the liquidity was. */
            averageScore: components["schemas"]["Decimal"];
            /** @description The stake that the share is computed from, which grows with the market, in the asset's smallest unit; absent before release 0.72. */
            virtualStake?: components["schemas"]["Decimal"];
        };
        /** @description How well a liquidity provider keeps its agreement. */
        LiquidityProviderSla: {
            /** @description The identifier of the party that provides liquidity. */
            party: string;
            /** @description The part of the current epoch in which the party provided what it had committed, from 0 to 1. */
            currentEpochFractionOfTimeOnBook: components["schemas"]["Decimal"];
            /** @description The same of the epoch before, from 0 to 1. */
            lastEpochFractionOfTimeOnBook: components["schemas"]["Decimal"];
            /** @description The part of its fees that the party lost for the epoch before, from 0 to 1. */
            lastEpochFeePenalty: components["schemas"]["Decimal"];
            /** @description The part of its bond that the party lost for the epoch before, from 0 to 1. */
            lastEpochBondPenalty: components["schemas"]["Decimal"];
            /** @description A list of the fee penalties of the epochs that are weighed together, from 0 to 1 each. */
            hysteresisPeriodFeePenalties: components["schemas"]["Decimal"][];
            /** @description The liquidity that the party has to provide, in the asset's smallest unit. */
            requiredLiquidity: components["schemas"]["Decimal"];
            /** @description The value of the party's buy orders that count, in the asset's smallest unit. */
            notionalVolumeBuys: components["schemas"]["Decimal"];
            /** @description The value of the party's sell orders that count, in the asset's smallest unit. */
            notionalVolumeSells: components["schemas"]["Decimal"];
        };
        /** @description What liquidity providers of a market owe it. */
        LiquiditySLAParameters: {
            /** @description The largest distance from the mid price at which liquidity counts, as a share of that price. */
            priceRange: components["schemas"]["Decimal"];
            /** @description The share of an epoch for which liquidity has to be there, from 0 to 1. */
            commitmentMinTimeFraction: components["schemas"]["Decimal"];
            /** @description The number of epochs for which a failure still counts. */
            performanceHysteresisEpochs: components["schemas"]["Uint64"];
            /** @description The share of the fees that providers who were there longer win from others, from 0 to 1. */
            slaCompetitionFactor: components["schemas"]["Decimal"];
        };
        /** @description The parameters of a log-normal risk model. */
        LogNormalModelParams: {
            /**
             * Format: double
             * @description The drift of the price, a year.
             */
            mu: number;
            /**
             * Format: double
             * @description The interest that goes without risk, a year.
             */
            r: number;
            /**
             * Format: double
             * @description The volatility of the price, a year.
             */
            sigma: number;
        };
        /** @description A model in which the logarithm of the price is normally distributed. */
        LogNormalRiskModel: {
            /**
             * Format: double
             * @description The probability of the losses that margins need not cover.
             */
            riskAversionParameter: number;
            /**
             * Format: double
             * @description The time that the model looks ahead, in years.
             */
            tau: number;
            /** @description The other parameters. */
            params: components["schemas"]["LogNormalModelParams"];
            /** @description The risk factors that governance set; absent if there are none. */
            riskFactorOverride?: components["schemas"]["RiskFactorOverride"];
        };
        /** @description How margins are computed. */
        MarginCalculator: {
            /** @description What the maintenance margin is multiplied by. */
            scalingFactors: components["schemas"]["ScalingFactors"];
            /** @description Whether the margin of a position is all that it can lose; absent if the network did not say. */
            fullyCollateralised?: boolean;
        };
        /** @description The bounds of the margin that a position would need. */
        MarginEstimate: {
            /** @description The bound with all of the market's slippage. */
            worstCase: components["schemas"]["EstimatedMarginLevel"];
            /** @description The bound without slippage. */
            bestCase: components["schemas"]["EstimatedMarginLevel"];
        };
        /** @description The latest margin levels of a party in a market. */
        MarginLevel: {
            /** @description The maintenance margin, in the asset's smallest unit. With less, the position is closed out. */
            maintenanceMargin: components["schemas"]["Integer"];
            /** @description The search level, in the asset's smallest unit. With less, the network takes margin from the party's general account. */
            searchLevel: components["schemas"]["Integer"];
            /** @description The initial margin, in the asset's smallest unit. It is needed to open the position. */
            initialMargin: components["schemas"]["Integer"];
            /** @description The collateral release level, in the asset's smallest unit. With more, the network releases margin. */
            collateralReleaseLevel: components["schemas"]["Integer"];
            /** @description The identifier of the party that holds the position. */
            partyId: string;
            /** @description The identifier of the market of the position. */
            marketId: string;
            /** @description The identifier of the asset of the margin. */
            asset: string;
            /** @description The time at which the levels were computed. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The margin that the orders of the party need by themselves, in the asset's smallest unit: more than 0 in isolated margin mode only. Absent before release 0.74. */
            orderMargin?: components["schemas"]["Integer"];
            /** @description The way in which the margin of the position is kept; absent before release 0.74. */
            marginMode?: components["schemas"]["MarginMode"];
            /** @description The part of the value of the position that is its margin, from 0 to 1, in isolated margin mode; `"0"` in others, and absent before release 0.74. */
            marginFactor?: components["schemas"]["Decimal"];
        };
        /** @description The way in which the margin of a position is kept. */
        MarginMode: ("MARGIN_MODE_UNSPECIFIED" | "MARGIN_MODE_CROSS_MARGIN" | "MARGIN_MODE_ISOLATED_MARGIN") | string;
        /** @description A market. The sources of oracles, and which market succeeds this one, are not kept, and so are not here. */
        Market: {
            /** @description The identifier of the market. */
            id: string;
            /** @description What the market trades. */
            tradableInstrument: components["schemas"]["TradableInstrument"];
            /** @description The number of decimal places of prices. */
            decimalPlaces: components["schemas"]["Uint64"];
            /** @description The fees of the market. */
            fees: components["schemas"]["Fees"];
            /** @description How long the opening auction lasts; null where it was not kept when the market was announced. */
            openingAuction: components["schemas"]["AuctionDuration"] | null;
            /** @description How the price is monitored; null where it was not kept when the market was announced. */
            priceMonitoringSettings: components["schemas"]["PriceMonitoringSettings"] | null;
            /** @description What too little liquidity is; null where it was not kept when the market was announced. */
            liquidityMonitoringParameters: components["schemas"]["LiquidityMonitoringParameters"] | null;
            /** @description The trading mode of the market. */
            tradingMode: components["schemas"]["MarketTradingMode"];
            /** @description The state of the market. */
            state: components["schemas"]["MarketState"];
            /** @description When the market went from state to state. */
            marketTimestamps: components["schemas"]["MarketTimestamps"];
            /** @description The number of decimal places of volumes; negative if the unit is larger than one. */
            positionDecimalPlaces: components["schemas"]["Int64"];
            /** @description The largest distance from the mid price at which liquidity can be provided, as a share of that price; empty from release 0.73 on. */
            lpPriceRange: components["schemas"]["Decimal"] | "";
            /** @description The slippage that margins assume for each unit of the position, as a share of the mark price; empty if the network gave none. */
            linearSlippageFactor: components["schemas"]["Decimal"] | "";
            /** @description The same for the square of the position. */
            quadraticSlippageFactor: components["schemas"]["Decimal"] | "";
            /** @description The identifier of the market that this one succeeds, or would; absent if there is none. */
            parentMarketId?: string;
            /** @description The share of the insurance pool of its parent that the market takes over, from 0 to 1; absent without a parent. */
            insurancePoolFraction?: components["schemas"]["Decimal"];
            /** @description What liquidity providers owe the market; absent before release 0.73. */
            liquiditySlaParams?: components["schemas"]["LiquiditySLAParameters"];
            /** @description How positions that the network took over are sold; absent in a spot market, and before release 0.74. */
            liquidationStrategy?: components["schemas"]["LiquidationStrategy"];
            /** @description How the mark price is made; absent before release 0.74. */
            markPriceConfiguration?: components["schemas"]["CompositePriceConfiguration"];
            /** @description The step between prices of orders, in market decimals; absent before release 0.75, when it is 1. */
            tickSize?: components["schemas"]["Integer"];
            /** @description Whether the network takes aggressive orders of a block after the others; absent before release 0.75. */
            enableTransactionReordering?: boolean;
            /** @description The number of price levels without volume that an automated market maker may have; absent before release 0.75. */
            allowedEmptyAmmLevels?: components["schemas"]["Uint64"];
            /** @description A list of the parties that alone may sell in a spot market; if it is empty, all may. Absent before release 0.75. */
            allowedSellers?: string[];
        };
        /** @description A page of rows. */
        MarketConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["MarketEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description The latest data of a market. Prices are in market decimals, volumes in position decimals, stakes in asset decimals. */
        MarketData: {
            /** @description The mark price. In market decimals. */
            markPrice: components["schemas"]["Integer"];
            /** @description The highest price of a buy order. In market decimals. */
            bestBidPrice: components["schemas"]["Integer"];
            /** @description The volume at the best bid price. In position decimals. */
            bestBidVolume: components["schemas"]["Uint64"];
            /** @description The lowest price of a sell order. In market decimals. */
            bestOfferPrice: components["schemas"]["Integer"];
            /** @description The volume at the best offer price. In position decimals. */
            bestOfferVolume: components["schemas"]["Uint64"];
            /** @description The highest price of a buy order that is not pegged. In market decimals. */
            bestStaticBidPrice: components["schemas"]["Integer"];
            /** @description The volume at the best static bid price. In position decimals. */
            bestStaticBidVolume: components["schemas"]["Uint64"];
            /** @description The lowest price of a sell order that is not pegged. In market decimals. */
            bestStaticOfferPrice: components["schemas"]["Integer"];
            /** @description The volume at the best static offer price. In position decimals. */
            bestStaticOfferVolume: components["schemas"]["Uint64"];
            /** @description The mean of the best bid and best offer prices; `"0"` if one is missing. In market decimals. */
            midPrice: components["schemas"]["Integer"];
            /** @description The mean of the best static bid and best static offer prices. In market decimals. */
            staticMidPrice: components["schemas"]["Integer"];
            /** @description The identifier of the market. */
            market: string;
            /** @description The time at which the data were computed. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The sum of all long positions. In position decimals. */
            openInterest: components["schemas"]["Uint64"];
            /** @description The time at which the auction ends; `"0"` outside auctions. */
            auctionEnd: components["schemas"]["Timestamp"];
            /** @description The time at which the auction began; `"0"` outside auctions. */
            auctionStart: components["schemas"]["Timestamp"];
            /** @description The price of the trades if the auction ended now. In market decimals. */
            indicativePrice: components["schemas"]["Integer"];
            /** @description The volume of the trades if the auction ended now. In position decimals. */
            indicativeVolume: components["schemas"]["Uint64"];
            /** @description The trading mode of the market. */
            marketTradingMode: components["schemas"]["MarketTradingMode"];
            /** @description The reason for which the auction started. */
            trigger: components["schemas"]["AuctionTrigger"];
            /** @description The reason for which the auction was extended. */
            extensionTrigger: components["schemas"]["AuctionTrigger"];
            /** @description The stake that the market needs, in the asset's smallest unit. */
            targetStake: components["schemas"]["Integer"];
            /** @description The stake that liquidity providers have committed, in the asset's smallest unit. */
            suppliedStake: components["schemas"]["Integer"];
            /** @description A list of the price bounds in force, one for each trigger. */
            priceMonitoringBounds: components["schemas"]["PriceMonitoringBounds"][];
            /** @description An estimate of the value of the market, in asset decimals. */
            marketValueProxy: components["schemas"]["Decimal"];
            /** @description A list of the shares of the liquidity fees. */
            liquidityProviderFeeShare: components["schemas"]["LiquidityProviderFeeShare"][];
            /** @description The state of the market. */
            marketState: components["schemas"]["MarketState"];
            /** @description The time at which positions are next marked to market. */
            nextMarkToMarket: components["schemas"]["Timestamp"];
            /** @description The price of the last trade. In market decimals. */
            lastTradedPrice: components["schemas"]["Integer"];
            /** @description The growth of the market since the epoch before, as a share of what it was: 0.1 is a tenth more, and it can be negative. Absent before release 0.72. */
            marketGrowth?: components["schemas"]["Decimal"];
            /** @description What the product has besides prices; absent unless it is a perpetual of which both averages have data. */
            productData?: components["schemas"]["ProductData"];
            /** @description A list of how well liquidity providers keep to what they agreed to; absent where the network told of none, as before release 0.73. */
            liquidityProviderSla?: components["schemas"]["LiquidityProviderSla"][];
            /** @description The time at which the network next trades to be rid of the positions that it closed out; `"0"` if it has none. Absent for spot markets, and before release 0.74. */
            nextNetworkCloseout?: components["schemas"]["Timestamp"];
            /** @description The way in which the mark price is made of its sources; absent where the network says none, as for spot markets and before release 0.74. */
            markPriceType?: components["schemas"]["CompositePriceType"];
            /** @description What the mark price is made of; absent where the network does not say, as for spot markets and before release 0.74. */
            markPriceState?: components["schemas"]["CompositePriceState"];
            /** @description The purchase that the network is making in the market; absent if it makes none. */
            activeProtocolAutomatedPurchase?: components["schemas"]["AutomatedPurchase"];
        };
        /** @description A page of versions of market data, by the blocks that changed them. */
        MarketDataHistory: {
            /** @description A list of the versions in the page, each with its block. */
            edges: components["schemas"]["MarketDataVersion"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description What one of the market data was from a block on. */
        MarketDataVersion: {
            /** @description What it was at the end of the block. Everything below is as of that block. */
            node: components["schemas"]["MarketData"];
            /** @description The cursor of the version, for `after` and `before`. */
            cursor: string;
        };
        /** @description A row in a page. */
        MarketEdge: {
            /** @description The row. */
            node: components["schemas"]["Market"];
            /** @description The cursor of the row. */
            cursor: string;
        };
        /** @description The state of a market. */
        MarketState: ("STATE_UNSPECIFIED" | "STATE_PROPOSED" | "STATE_REJECTED" | "STATE_PENDING" | "STATE_CANCELLED" | "STATE_ACTIVE" | "STATE_SUSPENDED" | "STATE_CLOSED" | "STATE_TRADING_TERMINATED" | "STATE_SETTLED" | "STATE_SUSPENDED_VIA_GOVERNANCE") | string;
        /** @description When a market went from state to state; `"0"` until then. */
        MarketTimestamps: {
            /** @description The time at which the market was proposed. */
            proposed: components["schemas"]["Timestamp"];
            /** @description The time at which the opening auction began. */
            pending: components["schemas"]["Timestamp"];
            /** @description The time at which trading began. */
            open: components["schemas"]["Timestamp"];
            /** @description The time at which the market closed. */
            close: components["schemas"]["Timestamp"];
        };
        /** @description The way in which a market matches orders. */
        MarketTradingMode: ("TRADING_MODE_UNSPECIFIED" | "TRADING_MODE_CONTINUOUS" | "TRADING_MODE_BATCH_AUCTION" | "TRADING_MODE_OPENING_AUCTION" | "TRADING_MODE_MONITORING_AUCTION" | "TRADING_MODE_NO_TRADING" | "TRADING_MODE_SUSPENDED_VIA_GOVERNANCE" | "TRADING_MODE_LONG_BLOCK_AUCTION" | "TRADING_MODE_PROTOCOL_AUTOMATED_PURCHASE_AUCTION") | string;
        /** @description A participant in the network, named for the first time. What it says of itself comes as `partyProfiles`. */
        NamedParty: {
            /** @description The public key of the party; `network` for the network itself. */
            id: string;
        };
        /** @description Information about a page of a list. */
        PageInfo: {
            /** @description Whether there are rows after the page. This is exact. */
            hasNextPage: boolean;
            /** @description Whether there are rows before the page. This is exact. */
            hasPreviousPage: boolean;
            /** @description The cursor of the first row in the page; empty if the page is empty. */
            startCursor: string;
            /** @description The cursor of the last row in the page; empty if the page is empty. */
            endCursor: string;
        };
        /** @description A participant in the network. Alias and metadata are absent where a party says nothing of itself, as before release 0.74. */
        Party: {
            /** @description The public key of the party; `network` for the network itself. */
            id: string;
            /** @description The name that the party goes by. */
            alias?: string;
            /** @description A list of whatever else the party says of itself. */
            metadata?: components["schemas"]["PartyMetadata"][];
        };
        /** @description A page of rows. */
        PartyConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["PartyEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description A row in a page. */
        PartyEdge: {
            /** @description The row. */
            node: components["schemas"]["Party"];
            /** @description The cursor of the row. */
            cursor: string;
        };
        /** @description Something that a party says of itself. */
        PartyMetadata: {
            /** @description What it is about. */
            key: string;
            /** @description What the party says. */
            value: string;
        };
        /** @description What a party says of itself. The network does not check it. */
        PartyProfile: {
            /** @description The public key of the party. */
            partyId: string;
            /** @description The name that the party goes by. May be empty. */
            alias: string;
            /** @description A list of whatever else the party says of itself, in its order. */
            metadata: components["schemas"]["PartyMetadata"][];
        };
        /** @description A perpetual. The sources of its data, and what binds them to it, are not kept, and so are not here. */
        Perpetual: {
            /** @description The identifier of the asset that the market settles in. */
            settlementAsset: string;
            /** @description The name of the unit in which prices are quoted. May be empty. */
            quoteName: string;
            /** @description The share of the expected funding payment that margins cover, from 0 to 1; empty if the network told none. */
            marginFundingFactor: components["schemas"]["Decimal"] | "";
            /** @description The interest of a year, as a share of the price. */
            interestRate: components["schemas"]["Decimal"];
            /** @description The least that the interest adds to the rate of a year, as a share of the price. */
            clampLowerBound: components["schemas"]["Decimal"];
            /** @description The most that the interest adds to the rate of a year, as a share of the price. */
            clampUpperBound: components["schemas"]["Decimal"];
            /** @description What the funding rate is multiplied by; absent if the network gave none. */
            fundingRateScalingFactor?: components["schemas"]["Decimal"];
            /** @description The least funding rate of a period, as a share of the price; absent if there is none. */
            fundingRateLowerBound?: components["schemas"]["Decimal"];
            /** @description The largest funding rate of a period, as a share of the price; absent if there is none. */
            fundingRateUpperBound?: components["schemas"]["Decimal"];
            /** @description How the price is made that the funding is computed from; absent if it is the mark price. */
            internalCompositePriceConfiguration?: components["schemas"]["CompositePriceConfiguration"];
        };
        /** @description The funding of a perpetual in its current funding period. */
        PerpetualData: {
            /** @description What a long position of one unit would pay if the period ended now, in the asset's smallest unit; negative where shorts pay. Empty if the network told none. */
            fundingPayment: components["schemas"]["Integer"] | "";
            /** @description The payment as a share of the external average, so 0.01 is one percent; it can be negative. Empty if the network told none. */
            fundingRate: components["schemas"]["Decimal"] | "";
            /** @description The average of the market's own price over the period, weighted by time, in asset decimals. */
            internalTwap: components["schemas"]["Integer"];
            /** @description The average of the price outside the network over the period, in asset decimals. */
            externalTwap: components["schemas"]["Integer"];
            /** @description The number of the period; absent before release 0.74. */
            seqNum?: components["schemas"]["Uint64"];
            /** @description The time at which the period began; absent before release 0.74. */
            startTime?: components["schemas"]["Timestamp"];
            /** @description The market's own price that goes into the average, in market decimals; absent before release 0.74. */
            internalCompositePrice?: components["schemas"]["Integer"];
            /** @description The time at which that price is next computed; negative where none is set. Absent before release 0.74. */
            nextInternalCompositePriceCalc?: components["schemas"]["Timestamp"];
            /** @description The way in which that price is made of its sources; absent before release 0.74. */
            internalCompositePriceType?: components["schemas"]["CompositePriceType"];
            /** @description The newest price outside the network, in asset decimals; absent before release 0.74. */
            underlyingIndexPrice?: components["schemas"]["Integer"];
            /** @description What the market's own price is made of; absent before release 0.74. */
            internalCompositePriceState?: components["schemas"]["CompositePriceState"];
        };
        /** @description An estimate of the margin and the liquidation prices of a position. */
        PositionEstimate: {
            /** @description The margin that the position would need. */
            margin: components["schemas"]["MarginEstimate"];
            /** @description What would be missing in the margin accounts; absent if the estimate was asked for without a margin mode. */
            collateralIncreaseEstimate?: components["schemas"]["CollateralIncreaseEstimate"];
            /** @description The prices at which the position would be closed out; null unless `collateralAvailable` or a margin mode is given. */
            liquidation: components["schemas"]["LiquidationEstimate"] | null;
        };
        /** @description The bounds within which the price can move without an auction. */
        PriceMonitoringBounds: {
            /** @description The lowest price, in market decimals. */
            minValidPrice: components["schemas"]["Decimal"];
            /** @description The highest price, in market decimals. */
            maxValidPrice: components["schemas"]["Decimal"];
            /** @description The trigger that the bounds belong to; null if the network gave none. */
            trigger: components["schemas"]["PriceMonitoringTrigger"] | null;
            /** @description The price from which the bounds were computed, in market decimals. */
            referencePrice: components["schemas"]["Decimal"];
            /** @description Whether the bounds are in force. Absent where the network did not say so: releases before 0.77 say nothing of any bounds, later ones nothing of those that are not in force. */
            active?: boolean;
        };
        /** @description How the price is monitored. */
        PriceMonitoringParameters: {
            /** @description A list of what lets the price cause an auction. */
            triggers: components["schemas"]["PriceMonitoringTrigger"][];
        };
        /** @description How the price is monitored. */
        PriceMonitoringSettings: {
            /** @description How the price is monitored. */
            parameters: components["schemas"]["PriceMonitoringParameters"];
        };
        /** @description A trigger of price monitoring auctions. */
        PriceMonitoringTrigger: {
            /** @description The time that the model looks ahead, in seconds. */
            horizon: components["schemas"]["Integer"];
            /** @description The probability that the price stays within its bounds for that time, from 0 to 1. */
            probability: components["schemas"]["Decimal"];
            /** @description The length of the auction or of its extension, in seconds. */
            auctionExtension: components["schemas"]["Integer"];
        };
        /** @description The data of a product besides its prices, by its kind. Only perpetuals have such data. */
        ProductData: {
            /** @description The funding of a perpetual; null if the product is not a perpetual. */
            perpetualData: components["schemas"]["PerpetualData"] | null;
        };
        /** @description A change to the network that parties vote on. */
        Proposal: {
            /** @description The identifier of the proposal. */
            id: string;
            /** @description The identifier of the party that proposed. */
            partyId: string;
            /** @description The reference that the proposer gave the proposal. */
            reference: string;
            /** @description The state of the proposal. */
            state: components["schemas"]["ProposalState"];
            /** @description The time at which the proposal was made. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The share of all governance tokens that must vote, from 0 to 1. */
            requiredParticipation: components["schemas"]["Decimal"];
            /** @description The share of the votes that must be for the proposal, from 0 to 1. */
            requiredMajority: components["schemas"]["Decimal"];
            /** @description The share of the liquidity that must vote, from 0 to 1; absent unless the proposal changes a market. */
            requiredLiquidityProviderParticipation?: components["schemas"]["Decimal"];
            /** @description The share of the voting liquidity that must be for the proposal, from 0 to 1; absent unless the proposal changes a market. */
            requiredLiquidityProviderMajority?: components["schemas"]["Decimal"];
            /** @description The reason for which the network refused the proposal; absent unless it did. */
            reason?: components["schemas"]["ProposalError"];
            /** @description The details of the refusal, in words; absent unless the proposal was refused. */
            errorDetails?: string;
            /** @description The identifier of the batch that the proposal is part of; absent if it is part of none. */
            batchId?: string;
            /** @description What is proposed, and when; absent for a batch, and where it was not kept. */
            terms?: components["schemas"]["ProposalTerms"];
            /** @description The same of a batch, which is voted on as one; absent unless it is one. */
            batchTerms?: components["schemas"]["BatchProposalTerms"];
        };
        /** @description The change that a proposal would make. */
        ProposalChange: ("CHANGE_UPDATE_MARKET" | "CHANGE_NEW_MARKET" | "CHANGE_UPDATE_NETWORK_PARAMETER" | "CHANGE_NEW_ASSET" | "CHANGE_NEW_FREEFORM" | "CHANGE_UPDATE_ASSET" | "CHANGE_NEW_SPOT_MARKET" | "CHANGE_UPDATE_SPOT_MARKET" | "CHANGE_NEW_TRANSFER" | "CHANGE_CANCEL_TRANSFER" | "CHANGE_UPDATE_MARKET_STATE" | "CHANGE_UPDATE_REFERRAL_PROGRAM" | "CHANGE_UPDATE_VOLUME_DISCOUNT_PROGRAM" | "CHANGE_UPDATE_VOLUME_REBATE_PROGRAM" | "CHANGE_NEW_PROTOCOL_AUTOMATED_PURCHASE") | string;
        /** @description The reason for which the network refused a proposal. */
        ProposalError: ("PROPOSAL_ERROR_UNSPECIFIED" | "PROPOSAL_ERROR_CLOSE_TIME_TOO_SOON" | "PROPOSAL_ERROR_CLOSE_TIME_TOO_LATE" | "PROPOSAL_ERROR_ENACT_TIME_TOO_SOON" | "PROPOSAL_ERROR_ENACT_TIME_TOO_LATE" | "PROPOSAL_ERROR_INSUFFICIENT_TOKENS" | "PROPOSAL_ERROR_INVALID_INSTRUMENT_SECURITY" | "PROPOSAL_ERROR_NO_PRODUCT" | "PROPOSAL_ERROR_UNSUPPORTED_PRODUCT" | "PROPOSAL_ERROR_NO_TRADING_MODE" | "PROPOSAL_ERROR_UNSUPPORTED_TRADING_MODE" | "PROPOSAL_ERROR_NODE_VALIDATION_FAILED" | "PROPOSAL_ERROR_MISSING_BUILTIN_ASSET_FIELD" | "PROPOSAL_ERROR_MISSING_ERC20_CONTRACT_ADDRESS" | "PROPOSAL_ERROR_INVALID_ASSET" | "PROPOSAL_ERROR_INCOMPATIBLE_TIMESTAMPS" | "PROPOSAL_ERROR_NO_RISK_PARAMETERS" | "PROPOSAL_ERROR_NETWORK_PARAMETER_INVALID_KEY" | "PROPOSAL_ERROR_NETWORK_PARAMETER_INVALID_VALUE" | "PROPOSAL_ERROR_NETWORK_PARAMETER_VALIDATION_FAILED" | "PROPOSAL_ERROR_OPENING_AUCTION_DURATION_TOO_SMALL" | "PROPOSAL_ERROR_OPENING_AUCTION_DURATION_TOO_LARGE" | "PROPOSAL_ERROR_COULD_NOT_INSTANTIATE_MARKET" | "PROPOSAL_ERROR_INVALID_FUTURE_PRODUCT" | "PROPOSAL_ERROR_INVALID_RISK_PARAMETER" | "PROPOSAL_ERROR_MAJORITY_THRESHOLD_NOT_REACHED" | "PROPOSAL_ERROR_PARTICIPATION_THRESHOLD_NOT_REACHED" | "PROPOSAL_ERROR_INVALID_ASSET_DETAILS" | "PROPOSAL_ERROR_UNKNOWN_TYPE" | "PROPOSAL_ERROR_UNKNOWN_RISK_PARAMETER_TYPE" | "PROPOSAL_ERROR_INVALID_FREEFORM" | "PROPOSAL_ERROR_INSUFFICIENT_EQUITY_LIKE_SHARE" | "PROPOSAL_ERROR_INVALID_MARKET" | "PROPOSAL_ERROR_TOO_MANY_MARKET_DECIMAL_PLACES" | "PROPOSAL_ERROR_TOO_MANY_PRICE_MONITORING_TRIGGERS" | "PROPOSAL_ERROR_ERC20_ADDRESS_ALREADY_IN_USE" | "PROPOSAL_ERROR_LP_PRICE_RANGE_NONPOSITIVE" | "PROPOSAL_ERROR_LP_PRICE_RANGE_TOO_LARGE" | "PROPOSAL_ERROR_LINEAR_SLIPPAGE_FACTOR_OUT_OF_RANGE" | "PROPOSAL_ERROR_QUADRATIC_SLIPPAGE_FACTOR_OUT_OF_RANGE" | "PROPOSAL_ERROR_INVALID_SPOT" | "PROPOSAL_ERROR_SPOT_PRODUCT_DISABLED" | "PROPOSAL_ERROR_INVALID_SUCCESSOR_MARKET" | "PROPOSAL_ERROR_GOVERNANCE_TRANSFER_PROPOSAL_FAILED" | "PROPOSAL_ERROR_GOVERNANCE_TRANSFER_PROPOSAL_INVALID" | "PROPOSAL_ERROR_GOVERNANCE_CANCEL_TRANSFER_PROPOSAL_INVALID" | "PROPOSAL_ERROR_INVALID_MARKET_STATE_UPDATE" | "PROPOSAL_ERROR_INVALID_SLA_PARAMS" | "PROPOSAL_ERROR_MISSING_SLA_PARAMS" | "PROPOSAL_ERROR_INVALID_PERPETUAL_PRODUCT" | "PROPOSAL_ERROR_INVALID_REFERRAL_PROGRAM" | "PROPOSAL_ERROR_INVALID_VOLUME_DISCOUNT_PROGRAM" | "PROPOSAL_ERROR_PROPOSAL_IN_BATCH_REJECTED" | "PROPOSAL_ERROR_PROPOSAL_IN_BATCH_DECLINED" | "PROPOSAL_ERROR_INVALID_SIZE_DECIMAL_PLACES" | "PROPOSAL_ERROR_INVALID_VOLUME_REBATE_PROGRAM" | "PROPOSAL_ERROR_INVALID_PROTOCOL_AUTOMATED_PURCHASE") | string;
        /** @description The state of a proposal. */
        ProposalState: ("STATE_UNSPECIFIED" | "STATE_FAILED" | "STATE_OPEN" | "STATE_PASSED" | "STATE_REJECTED" | "STATE_DECLINED" | "STATE_ENACTED" | "STATE_WAITING_FOR_NODE_VOTE") | string;
        /** @description What a proposal would change, and when. */
        ProposalTerms: {
            /** @description The time at which the vote closes. */
            closingTimestamp: components["schemas"]["Timestamp"];
            /** @description The time at which the change is carried out if it is accepted; `"0"` if there is none. */
            enactmentTimestamp: components["schemas"]["Timestamp"];
            /** @description The time until which the validators can check the change; `"0"` if they need not. */
            validationTimestamp: components["schemas"]["Timestamp"];
            /** @description The kind of the change; absent if the network gave none. */
            change?: components["schemas"]["ProposalChange"];
        };
        /**
         * Reached
         * @description Which block a quiet stream has reached, for those who ask for it with progress.
         */
        ReachedMessage: {
            reached: components["schemas"]["ReachedResult"];
        };
        ReachedResult: {
            /** @description The block of the message. */
            block: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor: string;
        };
        /** @description A reward that a party was paid at the end of an epoch. */
        Reward: {
            /** @description The identifier of the asset paid out. */
            assetId: string;
            /** @description The identifier of the party that was rewarded. */
            partyId: string;
            /** @description The epoch that the reward is for. */
            epoch: components["schemas"]["Uint64"];
            /** @description The amount paid out, in the asset's smallest unit. */
            amount: components["schemas"]["Integer"];
            /** @description The share of the whole payout, in percent from 0 to 100. Small shares have an exponent. */
            percentageOfTotal: string;
            /** @description The time at which the reward was paid out. */
            receivedAt: components["schemas"]["Timestamp"];
            /** @description The identifier of the market that the reward is for; empty if it is for none. From release 0.74 on the network tells it of no reward. */
            marketId: string;
            /** @description The type of the reward: the name of the type of the account that paid it. */
            rewardType: string;
            /** @description The epoch until which the reward is locked: it begins to vest then. Absent before release 0.73. */
            lockedUntilEpoch?: components["schemas"]["Uint64"];
            /** @description The amount in quanta of the asset, to six decimals; absent before release 0.74. */
            quantumAmount?: components["schemas"]["Decimal"];
            /** @description The identifier of the game that the reward was won in; absent if it was won in none. */
            gameId?: string;
        };
        /** @description A page of rewards. */
        RewardConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["RewardEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description A reward in a page. */
        RewardEdge: {
            /** @description The row. */
            node: components["schemas"]["Reward"];
            /** @description The cursor of the row, for `after` and `before`. */
            cursor: string;
        };
        /** @description What the rewards of a party in an asset come to. */
        RewardSummary: {
            /** @description The asset paid out. */
            assetId: string;
            /** @description The party that was rewarded. */
            partyId: string;
            /** @description What they come to, in the asset's smallest unit. */
            amount: components["schemas"]["Integer"];
        };
        /** @description The risk factors of a market: the margin that a unit of exposure needs, with 16 decimal places. */
        RiskFactor: {
            /** @description The identifier of the market. */
            marketId: string;
            /** @description The factor for short positions. */
            short: components["schemas"]["Decimal"];
            /** @description The factor for long positions. */
            long: components["schemas"]["Decimal"];
        };
        /** @description Risk factors that governance set instead of those that the risk model gives. */
        RiskFactorOverride: {
            /** @description The factor for short positions. */
            short: components["schemas"]["Decimal"];
            /** @description The factor for long positions. */
            long: components["schemas"]["Decimal"];
        };
        /** @description What the maintenance margin is multiplied by. */
        ScalingFactors: {
            /**
             * Format: double
             * @description The search level, as a multiple of the maintenance margin.
             */
            searchLevel: number;
            /**
             * Format: double
             * @description The initial margin, as a multiple of the maintenance margin.
             */
            initialMargin: number;
            /**
             * Format: double
             * @description The collateral release level, as a multiple of the maintenance margin.
             */
            collateralRelease: number;
        };
        /**
         * @description A kind of thing that can be searched for.
         * @enum {string}
         */
        SearchKind: "ASSET" | "BLOCK" | "DEPOSIT" | "EPOCH" | "MARKET" | "PARTY" | "PROPOSAL";
        /**
         * @description By which of its texts something is found.
         * @enum {string}
         */
        SearchMatch: "CODE" | "HEIGHT" | "ID" | "NAME" | "NUMBER" | "REFERENCE" | "SYMBOL";
        /** @description Something that was found. It is in the field that is called as its kind; the others are null. */
        SearchResult: {
            /** @description What it is. */
            kind: components["schemas"]["SearchKind"];
            /** @description Its identifier; the height of a block, the number of an epoch. */
            id: string;
            /** @description By which of its texts it was found: the first that begins with what was searched for. */
            matched: components["schemas"]["SearchMatch"];
            /** @description That text, as it is. */
            value: string;
            /** @description Whether the text is all that was searched for, and goes on no further. */
            isExact: boolean;
        };
        /** @description The parameters of a simple risk model. */
        SimpleModelParams: {
            /**
             * Format: double
             * @description The risk factor for long positions.
             */
            factorLong: number;
            /**
             * Format: double
             * @description The risk factor for short positions.
             */
            factorShort: number;
            /**
             * Format: double
             * @description The largest move of the price upwards that the model takes for possible.
             */
            maxMoveUp: number;
            /**
             * Format: double
             * @description The largest move of the price downwards that the model takes for possible.
             */
            minMoveDown: number;
            /**
             * Format: double
             * @description The probability that an order trades, whatever its price.
             */
            probabilityOfTrading: number;
        };
        /** @description A model whose risk factors are given. */
        SimpleRiskModel: {
            /** @description The parameters. */
            params: components["schemas"]["SimpleModelParams"];
        };
        /** Snapshot */
        SnapshotMessage: {
            result: components["schemas"]["SnapshotResult"];
            /** @description The block of the message. */
            block?: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor?: string;
        };
        SnapshotResult: {
            /** @description A page of the snapshot. */
            snapshot: components["schemas"]["AccountsSnapshot"];
        };
        /** @description A spot: one asset is exchanged for another. */
        Spot: {
            /** @description The identifier of the asset that is bought and sold. */
            baseAsset: string;
            /** @description The identifier of the asset that is paid with. */
            quoteAsset: string;
        };
        /** @description What a stream tells, or why it ends. */
        StreamMessage: components["schemas"]["SnapshotMessage"] | components["schemas"]["UpdatesMessage"] | components["schemas"]["ReachedMessage"] | components["schemas"]["ErrorMessage"];
        /** @description What the target stake of a market is computed from. */
        TargetStakeParameters: {
            /** @description The time over which the highest open interest counts, in seconds. */
            timeWindow: components["schemas"]["Int64"];
            /**
             * Format: double
             * @description What the open interest is multiplied by.
             */
            scalingFactor: number;
        };
        /**
         * Format: integer
         * @description A time as nanoseconds since the Unix epoch, written as a decimal string. `"0"` stands for no time. Those of the terms of a proposal can need more than 64 bits: whoever proposes names them.
         */
        Timestamp: string;
        /** @description What a market trades, and what its risk is. */
        TradableInstrument: {
            /** @description What the market trades. */
            instrument: components["schemas"]["Instrument"];
            /** @description How margins are computed; null where there are none, as in a spot market. */
            marginCalculator: components["schemas"]["MarginCalculator"] | null;
            /** @description Absent where the risk factors are computed by another model, and where it was not kept when the market was announced. */
            logNormalRiskModel?: components["schemas"]["LogNormalRiskModel"];
            /** @description The same of the other model. */
            simpleRiskModel?: components["schemas"]["SimpleRiskModel"];
        };
        /** @description A trade: two parties exchange a volume at a price. It never changes. */
        Trade: {
            /** @description The identifier of the trade. */
            id: string;
            /** @description The identifier of the market of the trade. */
            marketId: string;
            /** @description The price, in market decimals. */
            price: components["schemas"]["Integer"];
            /** @description The volume, in position decimals. */
            size: components["schemas"]["Uint64"];
            /** @description The identifier of the party that bought; `network` for the network itself. */
            buyer: string;
            /** @description The identifier of the party that sold; `network` for the network itself. */
            seller: string;
            /** @description The side whose order met one that was in the book; neither in an auction. */
            aggressor: components["schemas"]["TradeSide"];
            /** @description The identifier of the order of the buyer. May be empty. */
            buyOrder: string;
            /** @description The identifier of the order of the seller. May be empty. */
            sellOrder: string;
            /** @description The time of the block of the trade. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The way in which the trade came about. */
            type: components["schemas"]["TradeType"];
            /** @description The fee that the buyer paid. */
            buyerFee: components["schemas"]["TradeFee"];
            /** @description The fee that the seller paid. */
            sellerFee: components["schemas"]["TradeFee"];
            /** @description The number of the auction batch of the buyer's order; `"0"` for none. */
            buyerAuctionBatch: components["schemas"]["Uint64"];
            /** @description The number of the auction batch of the seller's order; `"0"` for none. */
            sellerAuctionBatch: components["schemas"]["Uint64"];
            /** @description The price, in the decimals of the asset; empty if the network gave none (before release 0.73). */
            assetPrice: components["schemas"]["Integer"] | "";
        };
        /** @description A page of trades. */
        TradeConnection: {
            /** @description A list of the rows in the page, each with its cursor. */
            edges: components["schemas"]["TradeEdge"][];
            /** @description Information about the page. */
            pageInfo: components["schemas"]["PageInfo"];
        };
        /** @description A trade in a page. */
        TradeEdge: {
            /** @description The row. */
            node: components["schemas"]["Trade"];
            /** @description The cursor of the row, for `after` and `before`. */
            cursor: string;
        };
        /** @description The fee that one side of a trade paid, in the smallest unit of the asset: of the settlement asset, or of the quote asset in a spot market. What there is none of is `"0"`. */
        TradeFee: {
            /** @description The fee for the maker of the trade. */
            makerFee: components["schemas"]["Integer"];
            /** @description The fee for the validators. */
            infrastructureFee: components["schemas"]["Integer"];
            /** @description The fee for the liquidity providers. */
            liquidityFee: components["schemas"]["Integer"];
            /** @description What the party was let off the maker fee for its volume. */
            makerFeeVolumeDiscount: components["schemas"]["Integer"];
            /** @description What the party was let off the infrastructure fee for its volume. */
            infrastructureFeeVolumeDiscount: components["schemas"]["Integer"];
            /** @description What the party was let off the liquidity fee for its volume. */
            liquidityFeeVolumeDiscount: components["schemas"]["Integer"];
            /** @description What the party was let off the maker fee for its referral. */
            makerFeeReferrerDiscount: components["schemas"]["Integer"];
            /** @description What the party was let off the infrastructure fee for its referral. */
            infrastructureFeeReferrerDiscount: components["schemas"]["Integer"];
            /** @description What the party was let off the liquidity fee for its referral. */
            liquidityFeeReferrerDiscount: components["schemas"]["Integer"];
            /** @description The fee for the treasury of the network. */
            treasuryFee: components["schemas"]["Integer"];
            /** @description The fee for what the network buys back. */
            buyBackFee: components["schemas"]["Integer"];
            /** @description The fee for a maker of much volume. */
            highVolumeMakerFee: components["schemas"]["Integer"];
        };
        /** @description The side of a trade. */
        TradeSide: ("SIDE_UNSPECIFIED" | "SIDE_BUY" | "SIDE_SELL") | string;
        /** @description The way in which a trade came about. */
        TradeType: ("TYPE_UNSPECIFIED" | "TYPE_DEFAULT" | "TYPE_NETWORK_CLOSE_OUT_GOOD" | "TYPE_NETWORK_CLOSE_OUT_BAD") | string;
        /**
         * End
         * @description Why the stream ends. No message follows.
         */
        TradesErrorMessage: {
            error: components["schemas"]["Error"];
        };
        /**
         * Reached
         * @description Which block a quiet stream has reached, for those who ask for it with progress.
         */
        TradesReachedMessage: {
            reached: components["schemas"]["ReachedResult"];
        };
        /** @description A page of the trades at the end of a block. */
        TradesSnapshot: {
            /** @description A list of trades, oldest first. */
            trades: components["schemas"]["Trade"][];
            /** @description Whether this is the last page of the snapshot. */
            lastPage: boolean;
        };
        /** Snapshot */
        TradesSnapshotMessage: {
            result: components["schemas"]["TradesSnapshotResult"];
            /** @description The block of the message. */
            block?: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor?: string;
        };
        TradesSnapshotResult: {
            snapshot: components["schemas"]["TradesSnapshot"];
        };
        /** @description What a stream tells, or why it ends. */
        TradesStreamMessage: components["schemas"]["TradesSnapshotMessage"] | components["schemas"]["TradesUpdatesMessage"] | components["schemas"]["TradesReachedMessage"] | components["schemas"]["TradesErrorMessage"];
        /** @description The trades of a block. */
        TradesUpdates: {
            /** @description A list of trades, oldest first. */
            trades: components["schemas"]["Trade"][];
        };
        /** Updates */
        TradesUpdatesMessage: {
            result: components["schemas"]["TradesUpdatesResult"];
            /** @description The block of the message. */
            block?: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor?: string;
        };
        TradesUpdatesResult: {
            updates: components["schemas"]["TradesUpdates"];
        };
        /**
         * Format: uint64
         * @description An integer from 0 to 2^64 - 1, written as a decimal string.
         */
        Uint64: string;
        /** Updates */
        UpdatesMessage: {
            result: components["schemas"]["UpdatesResult"];
            /** @description The block of the message. */
            block?: components["schemas"]["Block"];
            /** @description The cursor of the message, for `after`. */
            cursor?: string;
        };
        UpdatesResult: {
            /** @description The changes of the block. */
            updates: components["schemas"]["AccountsUpdates"];
        };
        /** @description A party's latest vote on a proposal. */
        Vote: {
            /** @description The identifier of the party that voted. */
            partyId: string;
            /** @description The choice of the party. */
            value: components["schemas"]["VoteValue"];
            /** @description The identifier of the proposal voted on. */
            proposalId: string;
            /** @description The time at which the party voted. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The party's governance tokens, in their smallest unit; `"0"` until voting closes. */
            totalGovernanceTokenBalance: components["schemas"]["Integer"];
            /** @description The party's share of the governance tokens that voted, from 0 to 1; `"0"` until voting closes. */
            totalGovernanceTokenWeight: components["schemas"]["Decimal"];
            /** @description The party's share of the liquidity, from 0 to 1; `"0"` unless the proposal changes a market. */
            totalEquityLikeShareWeight: components["schemas"]["Decimal"];
            /** @description A list of the party's shares of the liquidity of the markets that a batch would change; absent unless the vote is on such a batch, and before release 0.74.5. */
            elsPerMarket?: components["schemas"]["EquityLikeShare"][];
        };
        /** @description The choice of a vote. */
        VoteValue: ("VALUE_UNSPECIFIED" | "VALUE_NO" | "VALUE_YES") | string;
    };
    responses: {
        /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
        BadRequest: {
            headers: {
                "X-Block-Height": components["headers"]["X-Block-Height"];
                "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                "X-Block-Digest": components["headers"]["X-Block-Digest"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description RESOURCE_EXHAUSTED (8): this client has asked for more than it may. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Block-Height": components["headers"]["X-Block-Height"];
                "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                "X-Block-Digest": components["headers"]["X-Block-Digest"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INTERNAL (13): something went wrong here; the log has it under the request id. */
        InternalServerError: {
            headers: {
                "X-Block-Height": components["headers"]["X-Block-Height"];
                "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                "X-Block-Digest": components["headers"]["X-Block-Digest"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNAVAILABLE (14): there is more to do than can be done, or the database is out of reach: try again. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Block-Height": components["headers"]["X-Block-Height"];
                "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                "X-Block-Digest": components["headers"]["X-Block-Digest"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other status that is not a success: a head too large, a request too slow, another method. */
        Other: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Indents the answer, with any value or none. */
        pretty: string;
        /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
        IfNoneMatch: string;
        /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
        MinBlockHeight: string;
        /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
        Prefer: string;
        /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
        RequestId: string;
        /** @description With server-sent events the same as `after`; browsers send it when they come back. */
        LastEventId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request: the caller's own X-Request-Id where it sent a sane one. The log has it.
         * @example 4f7c1c1e-6f0e-4c0b-9d0a-2b9a4f5f7a10
         */
        "X-Request-Id": string;
        /**
         * @description The height of a block that the answer is at least as new as; of the block as of which it is, where one was asked for.
         * @example 150
         */
        "X-Block-Height": string;
        /**
         * @description The time of that block, in nanoseconds since the Unix epoch.
         * @example 1767225749014927632
         */
        "X-Block-Timestamp": string;
        /**
         * @description The digest of that block and of all before it, in hexadecimal: for requests with `Prefer: block-digest`, where it is known.
         * @example 9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a
         */
        "X-Block-Digest": string;
        /**
         * @description What the answer is known by. Sent back in If-None-Match, it is answered with 304 for as long as the answer is the same.
         * @example W/"Ff1d0Q5sB2pQm0b6dN7y3A"
         */
        ETag: string;
        /**
         * @description The parameters of the request that the path does not have, separated by commas; absent where there are none.
         * @example partyID
         */
        "X-Ignored-Parameters": string;
        /**
         * @description Says `handling=strict` to a request that sent it in Prefer; absent for others.
         * @example handling=strict
         */
        "Preference-Applied": string;
        /**
         * @description How much a client may ask for at once, in the cost of operations; these four are absent where there is no limit.
         * @example 2000000
         */
        "RateLimit-Limit": number;
        /**
         * @description How much of it is left.
         * @example 1999930
         */
        "RateLimit-Remaining": number;
        /**
         * @description In how many seconds all of it is there again.
         * @example 1
         */
        "RateLimit-Reset": number;
        /**
         * @description The limit, and the seconds that it is for.
         * @example 2000000;w=10
         */
        "RateLimit-Policy": string;
        /**
         * @description After how many seconds the request may be made again.
         * @example 1
         */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listDeposits: {
        parameters: {
            query?: {
                /** @description Only deposits for this party. It takes an id, which is text of at most 256 characters without a NUL. */
                partyId?: string;
                /** @description Only deposits last updated at this time or later. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                "dateRange.startTimestamp"?: string;
                /** @description Only deposits last updated before this time. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                "dateRange.endTimestamp"?: string;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of deposits. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of deposits. */
                "pagination.before"?: string;
                /**
                 * @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0).
                 * @example false
                 */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of deposits. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A list of deposits. */
                        deposits: components["schemas"]["DepositConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    getDeposit: {
        parameters: {
            query?: {
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the deposit. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example 0a370b7d21bcd26b5c57c08aed26dc0ab83465c59db6f3f40cccd3ff7364c134
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One deposit. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The deposit with this identifier. */
                        deposit: components["schemas"]["Deposit"];
                    };
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND (5): there is no such thing, or nothing at this path. */
            404: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description Only accounts that hold this asset. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.assetId"?: string;
                /**
                 * @description Only accounts that one of these parties owns. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example [
                 *       "80c422a356f9809635e18a050c03983b2c40108c4055f0a59105c1973b509b84"
                 *     ]
                 */
                "filter.partyIds"?: string[];
                /** @description Only accounts that belong to one of these markets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.marketIds"?: string[];
                /**
                 * @description Only accounts of one of these types. The number of one is taken, too.
                 * @example [
                 *       "ACCOUNT_TYPE_GENERAL",
                 *       "ACCOUNT_TYPE_MARGIN"
                 *     ]
                 */
                "filter.accountTypes"?: (("ACCOUNT_TYPE_UNSPECIFIED" | "ACCOUNT_TYPE_INSURANCE" | "ACCOUNT_TYPE_SETTLEMENT" | "ACCOUNT_TYPE_MARGIN" | "ACCOUNT_TYPE_GENERAL" | "ACCOUNT_TYPE_FEES_INFRASTRUCTURE" | "ACCOUNT_TYPE_FEES_LIQUIDITY" | "ACCOUNT_TYPE_FEES_MAKER" | "ACCOUNT_TYPE_BOND" | "ACCOUNT_TYPE_EXTERNAL" | "ACCOUNT_TYPE_GLOBAL_INSURANCE" | "ACCOUNT_TYPE_GLOBAL_REWARD" | "ACCOUNT_TYPE_PENDING_TRANSFERS" | "ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES" | "ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS" | "ACCOUNT_TYPE_HOLDING" | "ACCOUNT_TYPE_LP_LIQUIDITY_FEES" | "ACCOUNT_TYPE_LIQUIDITY_FEES_BONUS_DISTRIBUTION" | "ACCOUNT_TYPE_NETWORK_TREASURY" | "ACCOUNT_TYPE_VESTING_REWARDS" | "ACCOUNT_TYPE_VESTED_REWARDS" | "ACCOUNT_TYPE_REWARD_AVERAGE_POSITION" | "ACCOUNT_TYPE_REWARD_RELATIVE_RETURN" | "ACCOUNT_TYPE_REWARD_RETURN_VOLATILITY" | "ACCOUNT_TYPE_REWARD_VALIDATOR_RANKING" | "ACCOUNT_TYPE_PENDING_FEE_REFERRAL_REWARD" | "ACCOUNT_TYPE_ORDER_MARGIN" | "ACCOUNT_TYPE_REWARD_REALISED_RETURN" | "ACCOUNT_TYPE_BUY_BACK_FEES" | "ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL" | "ACCOUNT_TYPE_REWARD_ELIGIBLE_ENTITIES" | "ACCOUNT_TYPE_LOCKED_FOR_STAKING") | string)[];
                /** @description Whether parties are included that automated market makers of the given ones trade as. It takes false alone: the parties that automated market makers trade as are not linked to their owners. */
                includeDerivedParties?: false;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of accounts. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of accounts. */
                "pagination.before"?: string;
                /**
                 * @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0).
                 * @example false
                 */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of accounts. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A list of the accounts that pass the filter, out of all that ever had a balance. */
                        accounts: components["schemas"]["AccountConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listRewards: {
        parameters: {
            query?: {
                /**
                 * @description Only rewards of this party. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example 80c422a356f9809635e18a050c03983b2c40108c4055f0a59105c1973b509b84
                 */
                partyId?: string;
                /** @description Only rewards paid in this asset. It takes an id, which is text of at most 256 characters without a NUL. */
                assetId?: string;
                /**
                 * @description Only rewards for this epoch and later ones. It takes a whole number from 0 to 18446744073709551615.
                 * @example 1
                 */
                fromEpoch?: string;
                /** @description Only rewards for this epoch and earlier ones. It takes a whole number from 0 to 18446744073709551615. */
                toEpoch?: string;
                /** @description Only rewards for this market. It takes an id, which is text of at most 256 characters without a NUL. */
                marketId?: string;
                /** @description Only rewards that were won in this game. It takes an id, which is text of at most 256 characters without a NUL. */
                gameId?: string;
                /** @description Only rewards that were won in this team. It takes no value: the network's events do not say in which team a reward was won. */
                teamId?: string;
                /** @description Whether parties are included that automated market makers of the given ones trade as. It takes false alone: the parties that automated market makers trade as are not linked to their owners. */
                includeDerivedParties?: false;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of rewards. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of rewards. */
                "pagination.before"?: string;
                /**
                 * @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0).
                 * @example false
                 */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of rewards. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A list of rewards. */
                        rewards: components["schemas"]["RewardConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    getLatestMarketData: {
        parameters: {
            query?: {
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the market. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341
                 */
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest market data of a market. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The latest data of a market. */
                        marketData: components["schemas"]["MarketData"];
                    };
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND (5): there is no such thing, or nothing at this path. */
            404: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    estimatePosition: {
        parameters: {
            query: {
                /**
                 * @description The id of the market. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341
                 */
                marketId: string;
                /**
                 * @description The volume held, in position decimals; below zero for a short position. It takes a whole number from -9223372036854775808 to 9223372036854775807.
                 * @example 100
                 */
                openVolume: string;
                /**
                 * @description What there is to cover the position, in the settlement asset's smallest unit. Without it and without a margin mode, liquidation is null. Not to be given with a margin mode. It takes a decimal number of at most 400 digits written out.
                 * @example 1000000000
                 */
                collateralAvailable?: string;
                /** @description The margin mode of the party. Unspecified: as cross margin, but the margin account alone is weighed. The number of one is taken, too. */
                marginMode?: ("MARGIN_MODE_UNSPECIFIED" | "MARGIN_MODE_CROSS_MARGIN" | "MARGIN_MODE_ISOLATED_MARGIN") | string;
                /** @description The price at which the position was entered, on average, in market decimals; 0 where there is none. Required with a margin mode. It takes a decimal number of at most 400 digits written out. */
                averageEntryPrice?: string;
                /** @description The balance of the party's margin account, in the settlement asset's smallest unit. Required with a margin mode. It takes a decimal number of at most 400 digits written out. */
                marginAccountBalance?: string;
                /** @description The balance of the party's order margin account, in the settlement asset's smallest unit. Required with a margin mode. It takes a decimal number of at most 400 digits written out. */
                orderMarginAccountBalance?: string;
                /** @description The balance of the party's general account, in the settlement asset's smallest unit. Required in cross margin mode. It takes a decimal number of at most 400 digits written out. */
                generalAccountBalance?: string;
                /** @description The part of the value of the position that is its margin. Required in isolated margin mode. It takes a decimal number of at most 400 digits written out. */
                marginFactor?: string;
                /** @description Whether, in isolated margin mode, the margin that the position requires is weighed in place of the balance of the margin account. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                includeRequiredPositionMarginInAvailableCollateral?: boolean;
                /** @description Whether liquidation prices are in market decimals, and whole, instead of the settlement asset's smallest unit. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                scaleLiquidationPriceToMarketDecimals?: boolean;
                /** @description The party's open orders: they cannot be written into an address. GraphQL takes them. It takes no value here: ask over GraphQL (estimatePosition) for it. */
                orders?: string;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The margin that a position would need, and where it would be closed out. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PositionEstimate"];
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND (5): there is no such thing, or nothing at this path. */
            404: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    estimateFee: {
        parameters: {
            query: {
                /**
                 * @description The id of the market. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341
                 */
                marketId: string;
                /**
                 * @description The price of the trade, in market decimals. It takes a whole number from 1 to 57896044618658097711785492504343953926634992332820282019728792003956564819967.
                 * @example 2000000
                 */
                price: string;
                /**
                 * @description The volume of the trade, in position decimals. It takes a whole number from 1 to 18446744073709551615.
                 * @example 100
                 */
                size: string;
                /** @description The party that trades: what it is let off is taken off. It takes an id, which is text of at most 256 characters without a NUL. */
                party?: string;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fees that a trade would cost. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The fees of a trade in a market, as the release of its network charges them. Null if they cannot be estimated; an error then says why. */
                        fee: components["schemas"]["FeeEstimate"];
                    };
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND (5): there is no such thing, or nothing at this path. */
            404: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listVotes: {
        parameters: {
            query?: {
                /**
                 * @description Only votes on this proposal. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example 06529ee9532c7113772fe57adaa7cdf58ced8d4293af2ff9a568f1af19d74258
                 */
                proposal?: string;
                /**
                 * @description Only votes of this party. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example a6f14d618a35b7675917af49bd3708681d655a113329174dd2543ffbf730aa33
                 */
                party?: string;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All votes, on a proposal or of a party; the newest first. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A list of votes. */
                        votes: components["schemas"]["Vote"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description Only this asset. It takes an id, which is text of at most 256 characters without a NUL. */
                assetId?: string;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of assets. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of assets. */
                "pagination.before"?: string;
                /**
                 * @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0).
                 * @example false
                 */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of assets. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        assets: components["schemas"]["AssetConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    getAsset: {
        parameters: {
            query?: {
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the asset. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example c5711e6fa21af92a88a306cd3321fcc5ddf97c25315dbd139907b1c5decc0674
                 */
                assetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One asset. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asset: components["schemas"]["Asset"];
                    };
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND (5): there is no such thing, or nothing at this path. */
            404: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listMarkets: {
        parameters: {
            query?: {
                /**
                 * @description Whether markets are included that are settled; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0).
                 * @example false
                 */
                includeSettled?: boolean;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 2500.
                 * @example 1
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of markets. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 2500. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of markets. */
                "pagination.before"?: string;
                /** @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of markets, without those that were rejected. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        markets: components["schemas"]["MarketConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    getMarket: {
        parameters: {
            query?: {
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the market. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341
                 */
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One market. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        market: components["schemas"]["Market"];
                    };
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND (5): there is no such thing, or nothing at this path. */
            404: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listMarketDataHistory: {
        parameters: {
            query?: {
                /** @description Only market data of blocks of this time or later. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                startTimestamp?: string;
                /** @description Only market data of blocks of this time or earlier. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                endTimestamp?: string;
                /** @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 1750. */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of marketDataHistory. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 1750. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of marketDataHistory. */
                "pagination.before"?: string;
                /** @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The id of the market. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341
                 */
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the market data of a market were after each block; without a time, the latest alone. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The data of a market after each block that changed them, as far back as the past is known; an empty page for a market that has none. */
                        marketData: components["schemas"]["MarketDataHistory"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listLatestMarketData: {
        parameters: {
            query?: {
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest market data of every market; the newest market first. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A list of the latest data of all markets. */
                        marketsData: components["schemas"]["MarketData"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listParties: {
        parameters: {
            query?: {
                /**
                 * @description Only this party. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example 80c422a356f9809635e18a050c03983b2c40108c4055f0a59105c1973b509b84
                 */
                partyId?: string;
                /** @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000. */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of parties. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of parties. */
                "pagination.before"?: string;
                /** @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of parties. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        parties: components["schemas"]["PartyConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listBalanceChanges: {
        parameters: {
            query?: {
                /** @description Only accounts that hold this asset. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.assetId"?: string;
                /**
                 * @description Only accounts that one of these parties owns. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example [
                 *       "80c422a356f9809635e18a050c03983b2c40108c4055f0a59105c1973b509b84"
                 *     ]
                 */
                "filter.partyIds"?: string[];
                /** @description Only accounts that belong to one of these markets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.marketIds"?: string[];
                /** @description Only accounts of one of these types. The number of one is taken, too. */
                "filter.accountTypes"?: (("ACCOUNT_TYPE_UNSPECIFIED" | "ACCOUNT_TYPE_INSURANCE" | "ACCOUNT_TYPE_SETTLEMENT" | "ACCOUNT_TYPE_MARGIN" | "ACCOUNT_TYPE_GENERAL" | "ACCOUNT_TYPE_FEES_INFRASTRUCTURE" | "ACCOUNT_TYPE_FEES_LIQUIDITY" | "ACCOUNT_TYPE_FEES_MAKER" | "ACCOUNT_TYPE_BOND" | "ACCOUNT_TYPE_EXTERNAL" | "ACCOUNT_TYPE_GLOBAL_INSURANCE" | "ACCOUNT_TYPE_GLOBAL_REWARD" | "ACCOUNT_TYPE_PENDING_TRANSFERS" | "ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES" | "ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS" | "ACCOUNT_TYPE_HOLDING" | "ACCOUNT_TYPE_LP_LIQUIDITY_FEES" | "ACCOUNT_TYPE_LIQUIDITY_FEES_BONUS_DISTRIBUTION" | "ACCOUNT_TYPE_NETWORK_TREASURY" | "ACCOUNT_TYPE_VESTING_REWARDS" | "ACCOUNT_TYPE_VESTED_REWARDS" | "ACCOUNT_TYPE_REWARD_AVERAGE_POSITION" | "ACCOUNT_TYPE_REWARD_RELATIVE_RETURN" | "ACCOUNT_TYPE_REWARD_RETURN_VOLATILITY" | "ACCOUNT_TYPE_REWARD_VALIDATOR_RANKING" | "ACCOUNT_TYPE_PENDING_FEE_REFERRAL_REWARD" | "ACCOUNT_TYPE_ORDER_MARGIN" | "ACCOUNT_TYPE_REWARD_REALISED_RETURN" | "ACCOUNT_TYPE_BUY_BACK_FEES" | "ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL" | "ACCOUNT_TYPE_REWARD_ELIGIBLE_ENTITIES" | "ACCOUNT_TYPE_LOCKED_FOR_STAKING") | string)[];
                /** @description Only changes in blocks of this time or later. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                "dateRange.startTimestamp"?: string;
                /** @description Only changes in blocks before this time. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                "dateRange.endTimestamp"?: string;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of accountsHistory. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of accountsHistory. */
                "pagination.before"?: string;
                /**
                 * @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0).
                 * @example false
                 */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the balances of accounts were after each block that changed one. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        balances: components["schemas"]["AggregatedBalanceConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listChanges: {
        parameters: {
            query: {
                /**
                 * @description The kinds of things whose changes are wanted. It takes one of parties, assets, markets, riskFactors, marketData, accounts, deposits, trades, rewards, proposals, votes, marginLevels, partyProfiles.
                 * @example [
                 *       "accounts",
                 *       "deposits"
                 *     ]
                 */
                nouns: ("parties" | "assets" | "markets" | "riskFactors" | "marketData" | "accounts" | "deposits" | "trades" | "rewards" | "proposals" | "votes" | "marginLevels" | "partyProfiles")[];
                /**
                 * @description Only rows about one of these parties. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example [
                 *       "80c422a356f9809635e18a050c03983b2c40108c4055f0a59105c1973b509b84"
                 *     ]
                 */
                "filter.partyIds"?: string[];
                /** @description Only rows about one of these markets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.marketIds"?: string[];
                /** @description Only rows about one of these assets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.assetIds"?: string[];
                /**
                 * @description About how many changed rows: the last block is whole. 500 unless said. It takes a whole number from 1 to 700.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description The cursor of a block, of a page or of a message of the stream: changes after it. Without it, the first that are kept. It takes any text without a NUL character. */
                "pagination.after"?: string;
                /** @description False: the oldest changes come first. It takes false alone: changes are told from the oldest on. */
                "pagination.newestFirst"?: false;
                /** @description Not taken. It takes no value: changes are told from the oldest on. */
                "pagination.last"?: string;
                /** @description Not taken. It takes no value: changes are told from the oldest on. */
                "pagination.before"?: string;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What blocks changed, of the kinds of things that are named; the oldest first, by whole blocks. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: components["schemas"]["ChangesConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listTrades: {
        parameters: {
            query?: {
                /**
                 * @description Only trades in one of these markets. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example [
                 *       "bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341"
                 *     ]
                 */
                marketIds?: string[];
                /** @description Only trades that one of these parties bought or sold in. It takes an id, which is text of at most 256 characters without a NUL. */
                partyIds?: string[];
                /** @description Only trades of one of these orders, on either side. It takes an id, which is text of at most 256 characters without a NUL. */
                orderIds?: string[];
                /** @description Only trades in blocks of this time or later. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                "dateRange.startTimestamp"?: string;
                /** @description Only trades in blocks before this time. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                "dateRange.endTimestamp"?: string;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of trades. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of trades. */
                "pagination.before"?: string;
                /**
                 * @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0).
                 * @example false
                 */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A list of trades. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A list of trades. */
                        trades: components["schemas"]["TradeConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listCandles: {
        parameters: {
            query: {
                /**
                 * @description Which candles: how wide ones, of which market. It takes an id that /api/v2/candle/intervals gives: trades_candle_1_hour_<market>, with another of 1 minute, 5 minutes, 15 minutes, 30 minutes, 1 hour, 4 hours, 6 hours, 8 hours, 12 hours, 1 day, 7 days.
                 * @example trades_candle_1_minute_bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341
                 */
                candleId: string;
                /** @description Only candles that begin at this time or later. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                fromTimestamp?: string;
                /** @description Only candles that begin before this time, also behind the last trade. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                toTimestamp?: string;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 5000.
                 * @example 2
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of candles. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 5000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of candles. */
                "pagination.before"?: string;
                /** @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The candles of a market, from that of its first trade, or the first whole one that is kept, to that of the last. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        candles: components["schemas"]["CandleDataConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listCandleIntervals: {
        parameters: {
            query: {
                /**
                 * @description The id of the market. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example bd45cef35a15470b05d1a7e07f6f0329ccb804b803d0fa8d8baa0b066c178341
                 */
                marketId: string;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How wide the candles of a market are, and by what ids they are asked for. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        intervalToCandleId: components["schemas"]["IntervalToCandleId"][];
                    };
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description NOT_FOUND (5): there is no such thing, or nothing at this path. */
            404: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listRewardSummaries: {
        parameters: {
            query?: {
                /**
                 * @description Only rewards of this party. It takes an id, which is text of at most 256 characters without a NUL.
                 * @example 80c422a356f9809635e18a050c03983b2c40108c4055f0a59105c1973b509b84
                 */
                partyId?: string;
                /** @description Only rewards paid in this asset. It takes an id, which is text of at most 256 characters without a NUL. */
                assetId?: string;
                /** @description Whether parties are included that automated market makers of the given ones trade as. It takes false alone: the parties that automated market makers trade as are not linked to their owners. */
                includeDerivedParties?: false;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the rewards of each party in each asset come to; by asset and party. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summaries: components["schemas"]["RewardSummary"][];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    listEpochRewardSummaries: {
        parameters: {
            query?: {
                /** @description Only rewards paid in one of these assets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.assetIds"?: string[];
                /** @description Only rewards for one of these markets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.marketIds"?: string[];
                /**
                 * @description Only rewards for this epoch and later ones. It takes a whole number from 0 to 18446744073709551615.
                 * @example 0
                 */
                "filter.fromEpoch"?: string;
                /** @description Only rewards for this epoch and earlier ones. It takes a whole number from 0 to 18446744073709551615. */
                "filter.toEpoch"?: string;
                /**
                 * @description How many from the start of the list, or of what follows after; 1000 unless said. It takes a whole number from 1 to 1000.
                 * @example 1
                 */
                "pagination.first"?: number;
                /** @description Only what follows this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of rewards.sums. */
                "pagination.after"?: string;
                /** @description How many from the end of the list, or of what comes before. It takes a whole number from 1 to 1000. */
                "pagination.last"?: number;
                /** @description Only what comes before this cursor. It takes the cursor of an edge, or the startCursor or endCursor of a page, of the list of rewards.sums. */
                "pagination.before"?: string;
                /** @description Whether the list begins with the newest; true unless said. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                "pagination.newestFirst"?: boolean;
                /** @description An addition of Periscope: csv, spreadsheet (CSV that a spreadsheet takes as text) or ndjson give all rows, not a page; json is the documented answer. Without it, `Accept` chooses. It takes one of json, csv, spreadsheet, ndjson. */
                format?: "json" | "csv" | "spreadsheet" | "ndjson";
                /** @description An addition of Periscope: whether an export has amounts in the asset's units as well. Not with json. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                units?: boolean;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the rewards of each epoch come to, by market, asset and type. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        summaries: components["schemas"]["EpochRewardSummaryConnection"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * @description What is searched for. It takes 1 to 256 characters without a NUL.
                 * @example tusd
                 */
                text: string;
                /** @description Only things of these kinds. It takes one of BLOCK, EPOCH, PARTY, ASSET, MARKET, PROPOSAL, DEPOSIT. */
                kinds?: ("BLOCK" | "EPOCH" | "PARTY" | "ASSET" | "MARKET" | "PROPOSAL" | "DEPOSIT")[];
                /** @description How many results at most; 10 unless said. It takes a whole number from 1 to 50. */
                first?: number;
                /** @description An addition of Periscope: the height of the block as of which the answer is, in place of the newest. It takes a whole number from 0 to 18446744073709551615. */
                asOf?: string;
                /** @description An addition of Periscope: a time, for the last block at or before it. Not to be given with asOf. It takes nanoseconds since 1970, a whole number from -9223372036854775808 to 9223372036854775807. */
                asOfTime?: string;
                /** @description Indents the answer, with any value or none. */
                pretty?: components["parameters"]["pretty"];
            };
            header?: {
                /** @description The ETag of an answer that the client has: 304 says that it is still valid. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What has a text that begins with another, and the block and the epoch of a number; exact ones first. */
            200: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Parties, assets, markets, proposals and deposits one of whose texts begins with a text, the block of a height, and the epoch of a number. Those whose text is all of it come first, then they stand in the order of their kinds, of the texts that are looked at, and of these texts. */
                        results: components["schemas"]["SearchResult"][];
                    };
                };
            };
            /** @description The answer that has the given ETag is still valid. */
            304: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description INVALID_ARGUMENT (3): a parameter is missing, or cannot be taken; it is named with its value. FAILED_PRECONDITION (9): the question is sound, but what it asks of has no answer. OUT_OF_RANGE (11): a cursor is from before the history begins: take a new snapshot; or a block is not there, or not kept any more. */
            400: {
                headers: {
                    "X-Block-Height": components["headers"]["X-Block-Height"];
                    "X-Block-Timestamp": components["headers"]["X-Block-Timestamp"];
                    "X-Block-Digest": components["headers"]["X-Block-Digest"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    observeAccounts: {
        parameters: {
            query?: {
                /** @description Only accounts that belong to this market. It takes an id, which is text of at most 256 characters without a NUL. */
                marketId?: string;
                /** @description Only accounts that this party owns. It takes an id, which is text of at most 256 characters without a NUL. */
                partyId?: string;
                /** @description Only accounts that hold this asset. It takes an id, which is text of at most 256 characters without a NUL. */
                asset?: string;
                /** @description The same as asset. It takes an id, which is text of at most 256 characters without a NUL. */
                assetId?: string;
                /** @description Only accounts of this type; ACCOUNT_TYPE_UNSPECIFIED is all of them. The number of one is taken, too. */
                type?: ("ACCOUNT_TYPE_UNSPECIFIED" | "ACCOUNT_TYPE_INSURANCE" | "ACCOUNT_TYPE_SETTLEMENT" | "ACCOUNT_TYPE_MARGIN" | "ACCOUNT_TYPE_GENERAL" | "ACCOUNT_TYPE_FEES_INFRASTRUCTURE" | "ACCOUNT_TYPE_FEES_LIQUIDITY" | "ACCOUNT_TYPE_FEES_MAKER" | "ACCOUNT_TYPE_BOND" | "ACCOUNT_TYPE_EXTERNAL" | "ACCOUNT_TYPE_GLOBAL_INSURANCE" | "ACCOUNT_TYPE_GLOBAL_REWARD" | "ACCOUNT_TYPE_PENDING_TRANSFERS" | "ACCOUNT_TYPE_REWARD_MAKER_PAID_FEES" | "ACCOUNT_TYPE_REWARD_MAKER_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_LP_RECEIVED_FEES" | "ACCOUNT_TYPE_REWARD_MARKET_PROPOSERS" | "ACCOUNT_TYPE_HOLDING" | "ACCOUNT_TYPE_LP_LIQUIDITY_FEES" | "ACCOUNT_TYPE_LIQUIDITY_FEES_BONUS_DISTRIBUTION" | "ACCOUNT_TYPE_NETWORK_TREASURY" | "ACCOUNT_TYPE_VESTING_REWARDS" | "ACCOUNT_TYPE_VESTED_REWARDS" | "ACCOUNT_TYPE_REWARD_AVERAGE_POSITION" | "ACCOUNT_TYPE_REWARD_RELATIVE_RETURN" | "ACCOUNT_TYPE_REWARD_RETURN_VOLATILITY" | "ACCOUNT_TYPE_REWARD_VALIDATOR_RANKING" | "ACCOUNT_TYPE_PENDING_FEE_REFERRAL_REWARD" | "ACCOUNT_TYPE_ORDER_MARGIN" | "ACCOUNT_TYPE_REWARD_REALISED_RETURN" | "ACCOUNT_TYPE_BUY_BACK_FEES" | "ACCOUNT_TYPE_REWARD_AVERAGE_NOTIONAL" | "ACCOUNT_TYPE_REWARD_ELIGIBLE_ENTITIES" | "ACCOUNT_TYPE_LOCKED_FOR_STAKING") | string;
                /** @description Whether parties are included that automated market makers of the given ones trade as. It takes false alone: the parties that automated market makers trade as are not linked to their owners. */
                includeDerivedParties?: false;
                /** @description The cursor of the last message received: the stream goes on after it. It takes any text without a NUL character. */
                after?: string;
                /** @description Whether each message names its block and its cursor, beside result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                cursors?: boolean;
                /** @description Whether a quiet stream says, once a heartbeat, which block it has reached: a message that has reached in the place of result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                progress?: boolean;
            };
            header?: {
                /** @description With server-sent events the same as `after`; browsers send it when they come back. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same over a WebSocket, when the client asks to upgrade: each message is a text frame. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Messages for as long as the client stays connected, as lines of JSON, or server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamMessage"];
                    "text/event-stream": components["schemas"]["StreamMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    observeTrades: {
        parameters: {
            query?: {
                /** @description Only trades in one of these markets. It takes an id, which is text of at most 256 characters without a NUL. */
                marketIds?: string[];
                /** @description Only trades that one of these parties bought or sold in. It takes an id, which is text of at most 256 characters without a NUL. */
                partyIds?: string[];
                /** @description The cursor of the last message received: the stream goes on after it. It takes any text without a NUL character. */
                after?: string;
                /** @description Whether each message names its block and its cursor, beside result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                cursors?: boolean;
                /** @description Whether a quiet stream says, once a heartbeat, which block it has reached: a message that has reached in the place of result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                progress?: boolean;
            };
            header?: {
                /** @description With server-sent events the same as `after`; browsers send it when they come back. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same over a WebSocket, when the client asks to upgrade: each message is a text frame. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Messages for as long as the client stays connected, as lines of JSON, or server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradesStreamMessage"];
                    "text/event-stream": components["schemas"]["TradesStreamMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    observeCandles: {
        parameters: {
            query: {
                /** @description Which candles: how wide ones, of which market. It takes an id that /api/v2/candle/intervals gives: trades_candle_1_hour_<market>, with another of 1 minute, 5 minutes, 15 minutes, 30 minutes, 1 hour, 4 hours, 6 hours, 8 hours, 12 hours, 1 day, 7 days. */
                candleId: string;
                /** @description The cursor of the last message received: the stream goes on after it. It takes any text without a NUL character. */
                after?: string;
                /** @description Whether each message names its block and its cursor, beside result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                cursors?: boolean;
                /** @description Whether a quiet stream says, once a heartbeat, which block it has reached: a message that has reached in the place of result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                progress?: boolean;
            };
            header?: {
                /** @description With server-sent events the same as `after`; browsers send it when they come back. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same over a WebSocket, when the client asks to upgrade: each message is a text frame. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Messages for as long as the client stays connected, as lines of JSON, or server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CandlesStreamMessage"];
                    "text/event-stream": components["schemas"]["CandlesStreamMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    observeChanges: {
        parameters: {
            query: {
                /** @description The kinds of things whose changes are wanted. It takes one of parties, assets, markets, riskFactors, marketData, accounts, deposits, trades, rewards, proposals, votes, marginLevels, partyProfiles. */
                nouns: ("parties" | "assets" | "markets" | "riskFactors" | "marketData" | "accounts" | "deposits" | "trades" | "rewards" | "proposals" | "votes" | "marginLevels" | "partyProfiles")[];
                /** @description Only rows about one of these parties. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.partyIds"?: string[];
                /** @description Only rows about one of these markets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.marketIds"?: string[];
                /** @description Only rows about one of these assets. It takes an id, which is text of at most 256 characters without a NUL. */
                "filter.assetIds"?: string[];
                /** @description The cursor of the last message received: the stream goes on after it. It takes any text without a NUL character. */
                after?: string;
                /** @description Whether each message names its block and its cursor, beside result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                cursors?: boolean;
                /** @description Whether a quiet stream says, once a heartbeat, which block it has reached: a message that has reached in the place of result. It takes true or false (also t, f, T, F, True, False, TRUE, FALSE, 1, 0). */
                progress?: boolean;
            };
            header?: {
                /** @description With server-sent events the same as `after`; browsers send it when they come back. */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
                /** @description The height of a block that the answer, or the snapshot of a stream, is to be at least as new as: it is waited for shortly, and 503 says that it has not come. */
                "X-Min-Block-Height"?: components["parameters"]["MinBlockHeight"];
                /** @description `handling=strict` has a request refused that has a parameter which the path does not have (RFC 7240); else that is ignored, and named in `X-Ignored-Parameters`. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description An id for the request, of at most 128 letters, digits and `._:+/=-`. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same over a WebSocket, when the client asks to upgrade: each message is a text frame. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Messages for as long as the client stays connected, as lines of JSON, or server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesStreamMessage"];
                    "text/event-stream": components["schemas"]["ChangesStreamMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
}
