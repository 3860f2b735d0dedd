// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Has the interface that facilitators expect of the Multicall contract on every chain.
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
