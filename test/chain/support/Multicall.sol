// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Several reads in one call, with the interface that facilitators expect at the usual address of every chain.
contract Multicall {
    struct Call {
        address target;
        bytes callData;
    }
    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 at = 0; at < calls.length; at++) {
            (bool success, bytes memory data) = calls[at].target.call(calls[at].callData);
            require(success || !requireSuccess, "a call failed");
            results[at] = Result(success, data);
        }
    }
}
